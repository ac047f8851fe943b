/** Cooperative groups: which threads a group holds, ranks as forms, and their barriers and exchanges. */
import type { ExprOf } from '../syntax/ast.ts';
import { agreement, exchange } from './butterfly.ts';
import { constantOf, lastPart } from './definitions.ts';
import { anything, constant, type Form, op, symbol, thread } from './form.ts';
import type { CallOptions, Machine } from './machine.ts';
import { evaluate } from './machine.ts';
import { structOf } from './made-values.ts';
import { momentOf, rawValue } from './recorder.ts';
import { DIM3, INT, UNSIGNED, VOID } from './types.ts';
import { formOf, type GroupScope, num, number, typeOf, unknownValue, type Value } from './values.ts';

const FACTORIES = new Map<string, GroupScope>([
  ['this_thread_block', 'block'],
  ['this_grid', 'grid'],
  ['this_multi_grid', 'multi-grid'],
  ['coalesced_threads', 'coalesced'],
  ['this_cluster', 'cluster'],
  ['binary_partition', 'coalesced'],
  ['labeled_partition', 'coalesced'],
]);

/** `cg::this_grid()`, `cg::tiled_partition<32>(block)`, `cg::sync(group)`; undefined for anything else. */
export function groupCall(m: Machine, name: string, f: ExprOf<'name'>, e: ExprOf<'call'>): Value | undefined {
  if (m.mode !== 'device' || !m.table.usesGroups) return undefined;
  const short = lastPart(name);
  const scope = FACTORIES.get(short);
  if (scope) {
    for (const a of e.args) evaluate(m, a);
    return { v: 'group', scope };
  }
  if (short === 'tiled_partition') {
    const size = f.targs?.[0]?.value ? constantOf(m, f.targs[0].value) : e.args[1] ? constantOf(m, e.args[1]) : undefined;
    for (const a of e.args) evaluate(m, a);
    return { v: 'group', scope: 'tile', size };
  }
  if (/^(sync|wait|wait_prior)$/.test(short) && e.args.length === 1) {
    const group = evaluate(m, e.args[0]);
    if (group.v === 'group') return syncGroup(m, group, `cg::${short}`, e);
  }
  if (/^(reduce|inclusive_scan|exclusive_scan)$/.test(short) && e.args.length >= 2) {
    const [group, value] = e.args.map((a) => evaluate(m, a));
    if (group.v === 'group')
      return num(short === 'reduce' && isWarp(group) ? agreement() : anything({ data: true, unknown: false }), typeOf(value));
  }
  return undefined;
}

export function syncGroup(m: Machine, group: Value & { v: 'group' }, name: string, e: ExprOf<'call'>): Value {
  const scope = group.scope === 'tile' ? ((group.size ?? 64) <= 32 ? 'warp' : 'group') : group.scope === 'coalesced' ? 'warp' : group.scope;
  m.weight++;
  if (scope === 'block' || scope === 'grid' || scope === 'multi-grid' || scope === 'cluster') m.epoch++;
  if (m.trial === 0) m.facts.barriers.push({ ...momentOf(m, e), name, scope, tileSize: group.size });
  return unknownValue(VOID);
}

export function groupMethod(
  m: Machine,
  group: Value & { v: 'group' },
  f: ExprOf<'member'>,
  e: ExprOf<'call'>,
  options: CallOptions,
): Value | undefined {
  const { name } = f;
  if (name === 'sync' || name === 'barrier_wait')
    return syncGroup(m, group, `${group.scope === 'tile' || group.scope === 'coalesced' ? 'group' : group.scope}.sync`, e);
  if (name === 'barrier_arrive') return unknownValue(VOID);
  const values = e.args.map((a) => evaluate(m, a));
  switch (name) {
    case 'thread_rank':
      return num(rank(group), UNSIGNED);
    case 'size':
    case 'num_threads':
      return num(size(group), UNSIGNED);
    case 'meta_group_rank':
      return num(op('/', blockRank(), constant(group.size ?? 32)), UNSIGNED);
    case 'meta_group_size':
      return num(op('/', op('+', blockSize(), constant((group.size ?? 32) - 1)), constant(group.size ?? 32)), UNSIGNED);
    case 'block_rank':
      return num(gridRank(), UNSIGNED);
    case 'group_index':
    case 'block_index':
      return vector('blockIdx');
    case 'thread_index':
      return structOf(DIM3, (field) => num(thread(axisOf(field.name)), UNSIGNED));
    case 'group_dim':
    case 'dim_threads':
      return vector('blockDim');
    case 'num_blocks':
      return num(product('gridDim'), UNSIGNED);
    case 'dim_blocks':
    case 'grid_dim':
      return vector('gridDim');
    case 'is_valid':
      return number(1, INT);
    default:
  }
  if (/^(shfl|shfl_up|shfl_down|shfl_xor|any|all|ballot|match_any|match_all)$/.test(name)) {
    if (m.trial === 0) {
      const at = (i: number) => (values[i] ? rawValue(m, values[i], e.args[i]) : undefined);
      m.facts.shuffles.push({
        ...momentOf(m, e),
        name: `tile.${name}`,
        maskIsActive: false,
        picksActive: false,
        operand: at(0),
        selector: at(1),
        tileSize: group.size,
        resultUsed: options.resultUsed,
      });
    }
    if (/^(any|all|ballot)$/.test(name)) return num(isWarp(group) ? agreement() : anything({ data: true, unknown: false }), UNSIGNED);
    return num(exchanged(group, name, values), values[0] ? typeOf(values[0]) : INT);
  }
  return undefined;
}

/** As wide as a warp, whose lanes all take part. */
function isWarp({ scope, size }: Value & { v: 'group' }): boolean {
  return scope === 'tile' && size === 32;
}

/** What a lane gets from another one. */
function exchanged(group: Value & { v: 'group' }, name: string, [operand, selector]: readonly Value[]): Form {
  if (isWarp(group) && operand?.v === 'num' && selector) {
    if (name === 'shfl' && !formOf(selector).lane) return agreement();
    if (name === 'shfl_xor') return exchange(operand.form, formOf(selector));
  }
  return anything({ data: true, unknown: false });
}

function axisOf(name: string): 0 | 1 | 2 {
  return name === 'x' ? 0 : name === 'y' ? 1 : 2;
}

function vector(role: 'blockIdx' | 'blockDim' | 'gridDim'): Value {
  return structOf(DIM3, (field) => num(builtinSymbol(role, axisOf(field.name)), UNSIGNED));
}

/** One form per built-in variable, so that equal expressions stay equal. Made at the start, before any interpretation counts its own. */
const SYMBOLS = new Map<string, Form>();
for (const role of ['blockIdx', 'blockDim', 'gridDim'] as const) {
  for (const axis of [0, 1, 2] as const)
    SYMBOLS.set(`${role}${axis}`, { ...symbol(`${role}.${'xyz'[axis]}`, role, { axis, positive: true }), id: -1 - SYMBOLS.size });
}

export function builtinSymbol(role: 'blockIdx' | 'blockDim' | 'gridDim', axis: 0 | 1 | 2): Form {
  return SYMBOLS.get(`${role}${axis}`)!;
}

function product(role: 'blockDim' | 'gridDim'): Form {
  return op('*', op('*', builtinSymbol(role, 0), builtinSymbol(role, 1)), builtinSymbol(role, 2));
}

function blockSize(): Form {
  return product('blockDim');
}

function linear(role: 'blockDim' | 'gridDim', x: Form, y: Form, z: Form): Form {
  const row = op('+', y, op('*', builtinSymbol(role, 1), z));
  return op('+', x, op('*', builtinSymbol(role, 0), row));
}

function blockRank(): Form {
  return linear('blockDim', thread(0), thread(1), thread(2));
}

function gridRank(): Form {
  return linear('gridDim', builtinSymbol('blockIdx', 0), builtinSymbol('blockIdx', 1), builtinSymbol('blockIdx', 2));
}

function rank(group: Value & { v: 'group' }): Form {
  switch (group.scope) {
    case 'block':
      return blockRank();
    case 'grid':
      return op('+', op('*', gridRank(), blockSize()), blockRank());
    case 'tile':
      return group.size === undefined ? anything({ data: false, unknown: true }) : op('%', blockRank(), constant(group.size));
    // Those that happen to be here, counted on from one of them.
    case 'coalesced':
      return op('%', blockRank(), constant(32));
    default:
      return anything({ data: true, unknown: false });
  }
}

function size(group: Value & { v: 'group' }): Form {
  switch (group.scope) {
    case 'block':
      return blockSize();
    case 'grid':
      return op('*', blockSize(), product('gridDim'));
    case 'tile':
      return group.size === undefined ? symbol('tile', 'parameter') : constant(group.size);
    default:
      return anything({ data: true, unknown: false });
  }
}
