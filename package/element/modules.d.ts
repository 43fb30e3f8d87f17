declare module '*.css' {
  const text: string;
  export default text;
}
declare module '*/worker-source.js' {
  /** The whole worker as a classic script. */
  export const source: string;
}
declare module '*/inlined.js' {
  export const base64: string;
}
