/** What the analyzers say about a file, in plain data. Positions are 0-based UTF-16, as in the language server protocol. */
export interface SourceRange {
  startLine: number;
  startColumn: number;
  endLine: number;
  endColumn: number;
}

export type Severity = 'error' | 'warning' | 'information' | 'hint';
