/** Text of a source on its way to people: it is shown and never obeyed, by a terminal, an editor or a reader of Markdown. */

/** Control characters, and those that turn the direction of what follows. Tabs and line ends stay. */
const UNPRINTABLE = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Unprintable characters as escape sequences of C++. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** What a hover has room for. */
const MOST_CODE = 300;

/** As a code span of Markdown, whose contents nothing interprets: between more backticks than it has anywhere. */
export function codeSpan(text: string): string {
  const line = printable(text.replace(/\s+/g, ' ').trim());
  const shown = line.length > MOST_CODE ? `${line.slice(0, MOST_CODE)}…` : line;
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${shown}${fence}` : `${fence} ${shown} ${fence}`;
}
