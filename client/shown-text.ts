/** Texts that have names and messages of programs in them, for places where the editor would obey some of what is written there. */

/** A notification makes links of `[text](command:...)`, and runs the command on a click. */
export function notificationText(text: string): string {
  return text.replaceAll('](', '] (');
}

/** The status bar shows an icon for `$(name)`. */
export function statusText(text: string): string {
  return text.replaceAll('$(', '$ (');
}
