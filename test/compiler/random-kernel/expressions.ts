/** Expressions of each type, over the kernel's variables. */
import type { KernelText, TypeName } from './kernel-text.ts';

export function start(text: KernelText, type: TypeName): string {
  const from = text.pick(['%tid', '%gid', '%n', '%word']);
  switch (type) {
    case 'i32':
      return text.define(`xor i32 ${from}, ${text.below(64)}`);
    case 'i64':
      return text.define(`sext i32 ${from} to i64`);
    case 'i16':
    case 'i8':
    case 'i1':
      return text.define(`trunc i32 ${from} to ${type}`);
    case 'float':
    case 'double':
    case 'half':
      return text.define(`sitofp i32 ${text.define(`and i32 ${from}, 1023`)} to ${type}`);
    case '<2 x i32>': {
      const one = text.define(`insertelement <2 x i32> zeroinitializer, i32 ${from}, i32 0`);
      return text.define(`insertelement <2 x i32> ${one}, i32 %tid, i32 1`);
    }
    case 'ptr':
      return text.chance(50) ? '%start' : text.define(`getelementptr i32, ptr %in, i32 ${from}`);
  }
}

export function expression(text: KernelText, type: TypeName): string {
  switch (type) {
    case 'i1':
      return comparison(text);
    case 'float':
    case 'double':
    case 'half':
      return floating(text, type);
    case '<2 x i32>':
      return vector(text);
    case 'ptr':
      return pointer(text);
    default:
      return integer(text, type);
  }
}

function integer(text: KernelText, type: 'i8' | 'i16' | 'i32' | 'i64'): string {
  const choice = text.below(12);
  if ((type === 'i32' || type === 'i64') && text.chance(12)) return text.define(`ptrtoint ptr ${text.of('ptr')} to ${type}`);
  if (choice < 6) {
    const op = text.pick(['add', 'sub', 'mul', 'and', 'or', 'xor', 'shl', 'lshr', 'ashr', 'udiv', 'sdiv', 'urem', 'srem']);
    return text.define(`${op} ${type} ${text.of(type)}, ${text.of(type)}`);
  }
  if (choice === 6) return text.define(`select i1 ${text.of('i1')}, ${type} ${text.of(type)}, ${type} ${text.of(type)}`);
  if (choice === 7 && type === 'i32') return load(text);
  if (choice === 8) {
    const float = text.pick(['float', 'double'] as const);
    return text.define(`${text.pick(['fptosi', 'fptoui'])} ${float} ${text.of(float)} to ${type}`);
  }
  if (choice === 9 && type !== 'i8') {
    const narrow = text.pick(
      type === 'i64' ? (['i32', 'i16', 'i1'] as const) : type === 'i32' ? (['i16', 'i8', 'i1'] as const) : (['i8', 'i1'] as const),
    );
    return text.define(`${text.pick(['zext', 'sext'])} ${narrow} ${text.of(narrow)} to ${type}`);
  }
  if (choice === 10 && type !== 'i64') {
    const wide = text.pick(type === 'i32' ? (['i64'] as const) : (['i64', 'i32'] as const));
    return text.define(`trunc ${wide} ${text.of(wide)} to ${type}`);
  }
  if (type === 'i32' || type === 'i64') {
    if (text.chance(40)) {
      const bits = text.pick(['ctpop', 'ctlz', 'cttz', 'abs']);
      return text.define(`call ${type} @llvm.${bits}.${type}(${type} ${text.of(type)}${bits === 'ctpop' ? '' : ', i1 false'})`);
    }
    const call = text.pick(['smin', 'smax', 'umin', 'umax']);
    return text.define(`call ${type} @llvm.${call}.${type}(${type} ${text.of(type)}, ${type} ${text.of(type)})`);
  }
  return text.define(`sub ${type} 0, ${text.of(type)}`);
}

function pointer(text: KernelText): string {
  const choice = text.below(10);
  if (choice === 0) return text.define(`inttoptr i64 ${text.of('i64')} to ptr`);
  if (choice === 1) return text.define(`select i1 ${text.of('i1')}, ptr ${text.of('ptr')}, ptr ${text.of('ptr')}`);
  if (choice === 2) {
    const distance = text.pick([4, -4, 60, -60, 100000, -100000, 2147483648, -2147483648, 4294967296, -4294967296]);
    return text.define(`getelementptr i8, ptr ${text.of('ptr')}, i64 ${distance}`);
  }
  const base = text.chance(60) ? text.pick(['%in', '%sums']) : text.of('ptr');
  const element = text.pick(['i8', 'i16', 'i32', 'i32', 'i64', '[3 x i32]', '[48 x i8]', '[65536 x i64]']);
  const indices = [index(text), ...(element[0] === '[' && text.chance(60) ? [index(text)] : [])];
  return text.define(`getelementptr ${element}, ptr ${base}, ${indices.join(', ')}`);
}

function index(text: KernelText): string {
  switch (text.below(5)) {
    case 0:
      return `i64 ${text.of('i64')}`;
    case 1:
      return `i32 ${text.of('i32')}`;
    case 2:
      return `i64 ${text.define(`and i64 ${text.of('i64')}, 255`)}`;
    default: {
      const from = text.pick(['i32', 'i32', 'i32', 'i16', 'i8'] as const);
      const index = text.chance(30) ? '%gid' : text.of(from);
      return `i64 ${text.define(`${text.pick(['sext', 'zext'])} ${index === '%gid' ? 'i32' : from} ${index} to i64`)}`;
    }
  }
}

export function comparison(text: KernelText): string {
  if (text.chance(8)) return text.define(`icmp ${text.pick(['eq', 'ne', 'ult', 'uge'])} ptr ${text.of('ptr')}, ${text.of('ptr')}`);
  const choice = text.below(4);
  if (choice === 0) return text.define(`${text.pick(['and', 'or', 'xor'])} i1 ${text.of('i1')}, ${text.of('i1')}`);
  if (choice === 1) {
    const type = text.pick(['float', 'double', 'half'] as const);
    const predicate = text.pick(['oeq', 'ogt', 'oge', 'olt', 'ole', 'one', 'ord', 'ueq', 'ugt', 'uge', 'ult', 'ule', 'une', 'uno']);
    return text.define(`fcmp ${predicate} ${type} ${text.of(type)}, ${text.of(type)}`);
  }
  const type = text.pick(['i8', 'i16', 'i32', 'i32', 'i64'] as const);
  const predicate = text.pick(['eq', 'ne', 'ugt', 'uge', 'ult', 'ule', 'sgt', 'sge', 'slt', 'sle']);
  return text.define(`icmp ${predicate} ${type} ${text.of(type)}, ${text.of(type)}`);
}

function floating(text: KernelText, type: 'float' | 'double' | 'half'): string {
  const choice = text.below(8);
  if (choice < 4) return text.define(`${text.pick(['fadd', 'fsub', 'fmul', 'fdiv'])} ${type} ${text.of(type)}, ${text.of(type)}`);
  if (choice === 4) {
    const from = text.pick(['i8', 'i16', 'i32', 'i64'] as const);
    return text.define(`${text.pick(['sitofp', 'uitofp'])} ${from} ${text.of(from)} to ${type}`);
  }
  if (choice === 5 && type === 'double') return text.define(`fpext float ${text.of('float')} to double`);
  if (choice === 5 && type === 'float') return text.define(`fptrunc double ${text.of('double')} to float`);
  if (choice === 6 && type !== 'half') {
    const suffix = type === 'float' ? 'f32' : 'f64';
    return text.define(`call ${type} @llvm.${text.pick(['fabs', 'sqrt', 'floor', 'trunc'])}.${suffix}(${type} ${text.of(type)})`);
  }
  if (choice === 7 && type !== 'half') {
    const suffix = type === 'float' ? 'f32' : 'f64';
    return text.define(
      `call ${type} @llvm.${text.pick(['minnum', 'maxnum'])}.${suffix}(${type} ${text.of(type)}, ${type} ${text.of(type)})`,
    );
  }
  return text.define(`select i1 ${text.of('i1')}, ${type} ${text.of(type)}, ${type} ${text.of(type)}`);
}

function vector(text: KernelText): string {
  if (text.chance(60)) {
    const op = text.pick(['add', 'sub', 'mul', 'xor', 'and']);
    return text.define(`${op} <2 x i32> ${text.of('<2 x i32>')}, ${text.of('<2 x i32>')}`);
  }
  if (text.chance(50))
    return text.define(`shufflevector <2 x i32> ${text.of('<2 x i32>')}, <2 x i32> ${text.of('<2 x i32>')}, <2 x i32> <i32 1, i32 2>`);
  return text.define(`insertelement <2 x i32> ${text.of('<2 x i32>')}, i32 ${text.of('i32')}, i32 ${text.below(2)}`);
}

function load(text: KernelText): string {
  if (text.wild && text.chance(30)) return text.define(`load i32, ptr ${text.of('ptr')}, align 4`);
  if (text.chance(40)) {
    const index = text.define(`and i64 ${text.of('i64')}, 255`);
    return text.define(`load i32, ptr ${text.define(`getelementptr i32, ptr %in, i64 ${index}`)}, align 4`);
  }
  const index = text.define(`and i32 ${text.of('i32')}, 255`);
  const pointer = text.define(`getelementptr i32, ptr %in, i32 ${index}`);
  return text.define(`load i32, ptr ${pointer}, align 4`);
}
