/**
 * What a program's calls and variables are, for hints between its words: the parameters that arguments are for, and the types that are
 * deduced. Clang prints its tree of the whole file as text, which takes it next to no time; as JSON, which is twelve times as long, it
 * takes longer than to read the file.
 */
import { runTool } from './clang-pool.ts';
import { type CompletionRequest, headerFunctions, syntaxRun } from './completion.ts';
import type { Call, SyntaxTree } from './syntax-tree.ts';
import { toVirtualPath } from './virtual-paths.ts';

export type SyntaxTreeOf = (request: CompletionRequest) => Promise<SyntaxTree>;

const NOTHING: SyntaxTree = { calls: [], variables: [] };

/** Nothing where Clang fails. Rejects with the signal's reason. */
export async function syntaxTreeOf({ within, ...own }: CompletionRequest): Promise<SyntaxTree> {
  const request = within ? { ...within, unsaved: { ...within.unsaved, [own.file]: own.text } } : own;
  const run = syntaxRun(request, 'host', ['-ast-dump']);
  const { tree = NOTHING } = await runTool({ ...run, treeOf: toVirtualPath(own.file) }, own.signal);
  const isUnknown = ({ parameters, args }: Call) => parameters === undefined && args.length > 1;
  if (!tree.calls.some(isUnknown)) return tree;
  const known = await headerFunctions();
  return { ...tree, calls: tree.calls.map((call) => (isUnknown(call) ? { ...call, parameters: headerParameters(call, known) } : call)) };
}

/** Names on which all functions agree that may be meant. */
function headerParameters({ name, args }: Call, known: ReadonlyMap<string, readonly (readonly string[])[]>): readonly string[] | undefined {
  const fitting = known.get(name)?.filter((parameters) => parameters.length >= args.length) ?? [];
  return fitting[0]?.slice(0, args.length).map((parameter, i) => {
    const said = parameterName(parameter);
    return fitting.every((other) => parameterName(other[i]) === said) ? said : '';
  });
}

/** Of `const char *text`, and nothing of `unsigned int` and `char *_Nonnull`. */
function parameterName(parameter: string): string {
  const found = /^(.*[\s*&])([A-Za-z]\w*)$/.exec(parameter);
  if (!found) return '';
  const [, type, name] = found;
  const isType =
    /^(?:int|long|short|char|double|float|unsigned|signed|bool|const)$/.test(name) || /^(?:const|struct|enum|unsigned)?\s*$/.test(type);
  return isType ? '' : name;
}
