/** The standards of C++ that programs are compiled by: nvcc's choices. */
export const STANDARDS = ['c++11', 'c++14', 'c++17', 'c++20', 'c++23'] as const;
export type Standard = (typeof STANDARDS)[number];

/** The headers, the simulator's own and libc++'s, need it at least. */
export const DEFAULT_STANDARD: Standard = 'c++17';
