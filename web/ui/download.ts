/** Saves parts as a file: hands them to the browser's downloads. @param type of the file, as a media type */
export const download = (name: string, parts: readonly BlobPart[], type: string): void => {
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  // The browser reads the URL after this task; a large download may take a while to begin.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
