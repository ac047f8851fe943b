/** A file with counters that somebody drops on the page: one of the system's comes as such, one of the editor's explorer by its URI. */

/** As the editor's explorer gives them. */
const URIS = 'text/uri-list';

export function whenDropped(read: (file: File) => void, named: (uri: string) => void): void {
  document.addEventListener('dragover', (event) => {
    const { dataTransfer } = event;
    if (!dataTransfer || !(dataTransfer.types.includes('Files') || dataTransfer.types.includes(URIS))) return;
    event.preventDefault();
    dataTransfer.dropEffect = 'copy';
  });
  document.addEventListener('drop', (event) => {
    const { dataTransfer } = event;
    if (!dataTransfer) return;
    event.preventDefault();
    const [file] = dataTransfer.files;
    const [uri] = dataTransfer
      .getData(URIS)
      .split(/\r?\n/)
      .filter((line) => line !== '' && !line.startsWith('#'));
    if (file) read(file);
    else if (uri) named(uri);
  });
}
