/**
 * Which loops ptxas unrolls again after NVVM has unrolled them by four, read from machine code of nvcc 13.0 for sm_90: 150 loops that grow by
 * one operation, load or kind of access each. Costs are of the loop's body with its four rounds.
 */
export const secondUnrolling = {
  /** A loop at most as large is unrolled: 44 operations with 4 loads are, 48 are not; 28 with 12 loads are, 24 with 16 are not. */
  largest: 48,
  /** Rounds of the loop in one pass while there are more: 16 of the program's, then 8 and 4. */
  copies: 4,
  access: 1.5,
  operation: 1,
  /** The counter's step and its comparison. */
  counting: 2,
  /** Each pointer that goes on with the loop: two additions of 32 bits. */
  pointer: 2,
} as const;
