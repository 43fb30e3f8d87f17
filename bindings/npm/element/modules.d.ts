declare module '*.css' {
  const text: string;
  export default text;
}
declare module '*/worker-source.js' {
  /** The whole worker as a classic script. */
  export const source: string;
}
/** The wasm module, packed. */
declare const PACKED: string;
