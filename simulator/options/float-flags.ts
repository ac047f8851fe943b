/** nvcc's options for floating-point arithmetic in device code, from wherever they are given. */

/** What they change: see FloatRules of ir/float-rules.ts. */
interface Rules {
  readonly fused: boolean;
  readonly flushed: boolean;
  readonly fast: boolean;
}

/**
 * `--use_fast_math` and `--NAME=true|false`, with one minus or two; other flags are somebody else's. What is named by itself wins over
 * -use_fast_math, and the last one over those before it.
 */
export function floatRulesOf(flags: readonly string[]): Rules {
  const fast = flags.some((flag) => /^--?use_fast_math$/.test(flag));
  const truth = (name: string): boolean | undefined => {
    const given = flags.findLast((flag) => flag.replace(/^--?/, '').startsWith(`${name}=`));
    return given === undefined ? undefined : given.endsWith('=true');
  };
  return { fused: truth('fmad') ?? true, flushed: truth('ftz') ?? fast, fast };
}
