/* Pictures (binary PGM and PPM) and numbers in files, and how NVIDIA's samples compare them. */
#ifndef COMMON_HELPER_IMAGE_H_
#define COMMON_HELPER_IMAGE_H_
#include "exception.h"
#include "helper_string.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

namespace lanewise_samples {
/* Bytes of pictures stand for 0 to 1 where elements are floating-point numbers. */
template <class T> T fromByte(unsigned char byte) { return T(1.5) == T(1) ? (T)byte : (T)(byte / 255.0f); }
template <class T> unsigned char toByte(T value) { return (unsigned char)(T(1.5) == T(1) ? value : value * 255); }

struct Picture {
  unsigned int width = 0, height = 0, channels = 0;
  std::vector<unsigned char> bytes;
};
inline bool load(const char* name, Picture& picture) {
  std::ifstream file(name ? name : "", std::ios::binary);
  std::string magic, comment;
  unsigned int header[3] = {};
  file >> magic;
  for (unsigned int& number : header) {
    while ((file >> std::ws).peek() == '#') std::getline(file, comment);
    file >> number;
  }
  file.get();
  if (!file || (magic != "P5" && magic != "P6") || header[2] > 255) {
    fprintf(stderr, "%s is no binary PGM or PPM file\n", name ? name : "(null)");
    return false;
  }
  picture.width = header[0], picture.height = header[1], picture.channels = magic == "P5" ? 1 : 3;
  picture.bytes.resize((size_t)header[0] * header[1] * picture.channels);
  file.read((char*)picture.bytes.data(), (std::streamsize)picture.bytes.size());
  return !!file;
}
inline bool save(const char* name, const Picture& picture) {
  std::ofstream file(name ? name : "", std::ios::binary);
  file << (picture.channels == 1 ? "P5" : "P6") << "\n" << picture.width << "\n" << picture.height << "\n255\n";
  file.write((const char*)picture.bytes.data(), (std::streamsize)picture.bytes.size());
  return !!file;
}
/* Into memory of the caller's, which must have the same size, or new one. A fourth channel is filled with zeros. */
template <class T> bool loadInto(const char* name, unsigned int channels, T** data, unsigned int* width, unsigned int* height) {
  Picture picture;
  if (!load(name, picture)) return false;
  if (*data && (*width != picture.width || *height != picture.height)) {
    fprintf(stderr, "%s has %u x %u pixels, not %u x %u\n", name, picture.width, picture.height, *width, *height);
    return false;
  }
  if (picture.channels != (channels == 4 ? 3 : channels)) return false;
  size_t pixels = (size_t)picture.width * picture.height;
  if (!*data) *data = (T*)malloc(pixels * channels * sizeof(T));
  *width = picture.width, *height = picture.height;
  for (size_t k = 0; k < pixels; ++k) {
    for (unsigned int c = 0; c < channels; ++c) {
      (*data)[k * channels + c] = fromByte<T>(c < picture.channels ? picture.bytes[k * picture.channels + c] : 0);
    }
  }
  return true;
}
template <class T> bool saveFrom(const char* name, unsigned int channels, const T* data, unsigned int width, unsigned int height) {
  Picture picture{width, height, channels == 1 ? 1u : 3u, {}};
  for (size_t k = 0; k < (size_t)width * height; ++k) {
    for (unsigned int c = 0; c < picture.channels; ++c) picture.bytes.push_back(toByte(data[k * channels + c]));
  }
  return save(name, picture);
}
}  // namespace lanewise_samples

template <class T> bool sdkLoadPGM(const char* name, T** data, unsigned int* width, unsigned int* height) {
  return lanewise_samples::loadInto(name, 1, data, width, height);
}
template <class T> bool sdkLoadPPM4(const char* name, T** data, unsigned int* width, unsigned int* height) {
  return lanewise_samples::loadInto(name, 4, data, width, height);
}
inline bool sdkLoadPPM4ub(const char* name, unsigned char** data, unsigned int* width, unsigned int* height) {
  return lanewise_samples::loadInto(name, 4, data, width, height);
}
template <class T> bool sdkSavePGM(const char* name, T* data, unsigned int width, unsigned int height) {
  return lanewise_samples::saveFrom(name, 1, data, width, height);
}
inline bool sdkSavePPMub(const char* name, unsigned char* data, unsigned int width, unsigned int height) {
  return lanewise_samples::saveFrom(name, 3, data, width, height);
}
inline bool sdkSavePPM4ub(const char* name, unsigned char* data, unsigned int width, unsigned int height) {
  return lanewise_samples::saveFrom(name, 4, data, width, height);
}

/* Numbers as text, separated by white space, behind a line that sdkWriteFile begins with. The caller's memory must have room for exactly as many. */
template <class T> bool sdkReadFile(const char* name, T** data, unsigned int* count, bool verbose) {
  std::ifstream file(name ? name : "");
  std::vector<T> numbers;
  std::string comment;
  while ((file >> std::ws).peek() == '#') std::getline(file, comment);
  for (T number; file >> number;) numbers.push_back(number);
  if (numbers.empty() || (*data && *count != numbers.size())) {
    if (verbose) std::cerr << "sdkReadFile(): " << (name ? name : "(null)") << " has " << numbers.size() << " numbers" << std::endl;
    return false;
  }
  if (!*data) *data = (T*)malloc(numbers.size() * sizeof(T));
  std::copy(numbers.begin(), numbers.end(), *data);
  *count = (unsigned int)numbers.size();
  return true;
}
template <class T, class S> bool sdkWriteFile(const char* name, const T* data, unsigned int count, const S epsilon, bool, bool append = false) {
  std::ofstream file(name ? name : "", append ? std::ios::out | std::ios::app : std::ios::out);
  if (!append) file << "# " << epsilon << "\n";
  for (unsigned int k = 0; k < count; ++k) file << data[k] << ' ';
  file << std::endl;
  return !!file;
}
inline bool sdkWriteFilef(const char* name, const float* data, unsigned int count, const float epsilon, bool verbose = false) {
  return sdkWriteFile(name, data, count, epsilon, verbose);
}
inline void sdkDumpBin(void* data, unsigned int bytes, const char* name) {
  std::ofstream(name, std::ios::binary).write((const char*)data, bytes);
}

/* Elements may differ by `epsilon`, and a share of `threshold` of them by more. */
template <class T, class S> bool compareData(const T* reference, const T* data, const unsigned int count, const S epsilon, const float threshold) {
  unsigned int wrong = 0;
  for (unsigned int k = 0; k < count; ++k) wrong += !(std::fabs((float)reference[k] - (float)data[k]) <= (float)epsilon);
  if (threshold == 0) return wrong == 0;
  if (wrong) printf("%4.2f%% of %u elements differ by more than %g\n", 100.0 * wrong / count, count, (double)epsilon);
  return (float)count * threshold > (float)wrong;
}
template <class T, class S>
bool compareDataAsFloatThreshold(const T* reference, const T* data, const unsigned int count, const S epsilon, const float threshold) {
  return compareData(reference, data, count, epsilon, threshold);
}
/* Relative error in the norm of squares. */
inline bool sdkCompareL2fe(const float* reference, const float* data, const unsigned int count, const float epsilon) {
  float error = 0, norm = 0;
  for (unsigned int k = 0; k < count; ++k) {
    float difference = reference[k] - data[k];
    error += difference * difference, norm += reference[k] * reference[k];
  }
  if (!(std::sqrt(norm) >= 1e-7f)) {
    std::cerr << "the reference's norm is zero" << std::endl;
    return false;
  }
  return std::sqrt(error) / std::sqrt(norm) < epsilon;
}

namespace lanewise_samples {
inline bool comparePictures(const char* name, const char* reference, float epsilon, float threshold, bool verbose) {
  Picture a, b;
  if (!load(name, a) || !load(reference, b) || a.width != b.width || a.height != b.height || a.channels != b.channels) return false;
  bool isEqual = compareData(b.bytes.data(), a.bytes.data(), (unsigned int)a.bytes.size(), epsilon, threshold);
  if (verbose) printf("%s and %s: %s\n", name, reference, isEqual ? "OK" : "different");
  return isEqual;
}
template <class T> bool compareFiles(const char* name, const char* reference, unsigned int count, float epsilon, float threshold, const char* program) {
  char* found = sdkFindFilePath(reference, program);
  std::vector<T> a(count), b(count);
  std::ifstream first(name, std::ios::binary), second(found ? found : "", std::ios::binary);
  free(found);
  first.read((char*)a.data(), (std::streamsize)(count * sizeof(T)));
  second.read((char*)b.data(), (std::streamsize)(count * sizeof(T)));
  return first && second && compareData(b.data(), a.data(), count, epsilon, threshold);
}
}  // namespace lanewise_samples

inline bool sdkComparePPM(const char* name, const char* reference, const float epsilon, const float threshold, bool verbose) {
  return lanewise_samples::comparePictures(name, reference, epsilon, threshold, verbose);
}
inline bool sdkComparePGM(const char* name, const char* reference, const float epsilon, const float threshold, bool verbose) {
  return lanewise_samples::comparePictures(name, reference, epsilon, threshold, verbose);
}
inline bool sdkCompareBin2BinUint(const char* name, const char* reference, unsigned int count, const float epsilon, const float threshold, char* program) {
  return lanewise_samples::compareFiles<unsigned int>(name, reference, count, epsilon, threshold, program);
}
inline bool sdkCompareBin2BinFloat(const char* name, const char* reference, unsigned int count, const float epsilon, const float threshold, char* program) {
  return lanewise_samples::compareFiles<float>(name, reference, count, epsilon, threshold, program);
}
#endif
