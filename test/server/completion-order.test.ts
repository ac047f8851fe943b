/** Which of very many names are sent to the editor. */
import { expect, it } from 'vitest';
import { completionList } from '../../server/language/shown.ts';

it("a program's own names, and those that a hover explains, before all that the headers have", () => {
  const ofHeaders = Array.from({ length: 2000 }, (_, k) => ({ name: `cuda${String(k).padStart(4, '0')}`, type: 'int', isOfHeaders: true }));
  const own = [{ name: 'custom', type: 'int' }];
  const explained = [{ name: 'cudaStreamSynchronize', type: 'cudaError_t', parameters: ['cudaStream_t stream'], isOfHeaders: true }];
  const situation = { typed: 'c', after: 'object', near: new Set(['cuda1999']), snippets: false } as const;
  const { items, isIncomplete } = completionList([...ofHeaders, ...explained, ...own], situation);
  expect(items.slice(0, 4).map(({ label }) => label)).toEqual(['cuda1999', 'cudaStreamSynchronize', 'custom', 'cuda0000']);
  expect(items).toHaveLength(1000);
  expect(isIncomplete).toBe(true);
});
