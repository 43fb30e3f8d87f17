// www/design/embed-code.js imports JSON as bundlers read it: bundled for Node.
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from '../../../scripts/run.mjs';

/** @param {object} design @param {object} source @returns {Promise<string>} */
export async function embedOf(design, source) {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'www', 'design', 'embed-code.js')],
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  const module = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`
  );
  return module.embedOf(design, source, null);
}
