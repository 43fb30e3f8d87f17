// The page around the worker: hands it the chosen file; the total is what the page waited.
const worker = new Worker('/ours/worker.mjs', { type: 'module' });

/** One run in the worker. */
const ask = (message) =>
  new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (data.failed ? reject(new Error(data.failed)) : resolve(data));
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage(message);
  });

globalThis.run = async (command) => {
  globalThis.gc?.();
  await new Promise((resume) => setTimeout(resume, 50));
  const file = document.querySelector('input').files[0];
  const begin = performance.now();
  const result = await ask({ file, command });
  if (!command.slide) result.total = performance.now() - begin;
  return result;
};
