import { expect, it } from 'vitest';
import { codeSpan, printable } from '../../analyzers/printable.ts';

it('writes control characters and turns of direction out', () => {
  expect(printable('a\tb\nc')).toBe('a\tb\nc');
  expect(printable('\u001b[31m\r\u202eabc\u2069\u0085\u2028')).toBe('\\u001b[31m\\u000d\\u202eabc\\u2069\\u0085\\u2028');
  expect(printable('𝔸 é 日本')).toBe('𝔸 é 日本');
});

it('puts code between more backticks than it has', () => {
  expect(codeSpan('in[i * 2]')).toBe('`in[i * 2]`');
  expect(codeSpan('a `b` ``c')).toBe('``` a `b` ``c ```');
  expect(codeSpan('a\n\n# b')).toBe('`a # b`');
  expect(codeSpan('x'.repeat(500))).toHaveLength(303);
});
