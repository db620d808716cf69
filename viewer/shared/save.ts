/** Offers text to be saved as a file. */
export function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Not before the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A name for a file, from one that may hold anything. */
export function fileName(name: string, ending: string): string {
  const plain = name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[-.]+|[-.]+$/g, '');
  return `${plain.slice(0, 60) || 'violation'}${ending}`;
}
