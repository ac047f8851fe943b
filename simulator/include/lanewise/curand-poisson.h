/*
 * Poisson numbers of cuRAND's functions for the host, one from a uniform number each: by a table of equal columns, each of which is shared by
 * two numbers (Marsaglia, Tsang and Wang, "Fast generation of discrete random variables", 2004), or by a search in the distribution. Which
 * numbers have columns, and who shares them, was found with the generators that cuRAND runs on the host; an H200's are the same
 * (test/fixtures/runtime/curand-poisson.cu).
 */
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

namespace __lanewise {

class PoissonTable {
  double lambda;
  bool searched;
  /* The smallest number whose probability is not 0 as a double, and where it and those behind it end: in their columns, or added up. */
  unsigned int first;
  std::vector<double> ends;
  std::vector<unsigned int> others;

  double probability(unsigned int k) const { return std::exp(-lambda + k * std::log(lambda) - std::lgamma(k + 1.0)); }

  /* Numbers that do not fill a column share it with the last that has more than one, in rounds from the first to the last. */
  void share(std::vector<double> probabilities) {
    const size_t size = probabilities.size();
    const double column = 1.0 / size;
    others.resize(size);
    ends.resize(size);
    for (size_t k = 0; k < size; ++k) { others[k] = (unsigned int)k; ends[k] = (k + 1) * column; }
    for (bool more = true; more;) {
      more = false;
      for (size_t k = 0, rich = size; k < size; ++k) {
        if (probabilities[k] >= column) continue;
        while (rich > 0 && !(probabilities[rich - 1] > column)) --rich;
        if (rich == 0) break;
        ends[k] = k * column + probabilities[k];
        others[k] = (unsigned int)rich - 1;
        probabilities[rich - 1] -= column - probabilities[k];
        probabilities[k] = column;
        more = true;
      }
    }
  }

 public:
  PoissonTable(double lambda, bool searched) : lambda(lambda), searched(searched), first((unsigned int)lambda) {
    while (first > 0 && probability(first - 1) > 0) --first;
    std::vector<double> probabilities;
    for (unsigned int k = first; k <= lambda || probability(k) > 0; ++k) probabilities.push_back(probability(k));
    double sum = 0;
    if (searched) for (double each : probabilities) ends.push_back(sum += each);
    else share(probabilities);
  }
  /* uniform: above 0, at most 1. */
  unsigned int number(double uniform) const {
    if (searched) return first + (unsigned int)std::min<size_t>(std::lower_bound(ends.begin(), ends.end(), uniform) - ends.begin(), ends.size() - 1);
    size_t column = std::min((size_t)(uniform * ends.size()), ends.size() - 1);
    return first + (uniform < ends[column] ? (unsigned int)column : others[column]);
  }
};

}  // namespace __lanewise
