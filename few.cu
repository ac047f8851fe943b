#include <deque>
#include <regex>
#include <unordered_map>
#include <cxxabi.h>
#include <optional>
#include <set>
int main() {}
