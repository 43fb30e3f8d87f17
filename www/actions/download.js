/**
 * Gives a person a file.
 * @param {string} file its name
 * @param {Blob | string} content
 */
export function download(file, content) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content]));
  link.download = file;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** A name as that of a file. @param {string} [name] */
export const fileName = (name = 'design') => name.replace(/[^\p{L}\p{N}]+/gu, '-').toLowerCase();
