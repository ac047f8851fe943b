/* What NVIDIA's samples ask of their command lines: flags and values as -name, --name and -name=value. */
#ifndef COMMON_HELPER_STRING_H_
#define COMMON_HELPER_STRING_H_
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <strings.h>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#endif
#ifndef STRNCASECMP
#define STRNCASECMP strncasecmp
#endif
#ifndef STRCPY
#define STRCPY(to, length, from) strcpy(to, from)
#endif
#ifndef FOPEN
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#endif
#ifndef FOPEN_FAIL
#define FOPEN_FAIL(file) (file == NULL)
#endif
#ifndef FSCANF
#define FSCANF fscanf
#endif
#ifndef SPRINTF
#define SPRINTF sprintf
#endif

inline int stringRemoveDelimiter(char delimiter, const char* text) {
  int first = 0;
  while (text[first] && text[first] == delimiter) ++first;
  return first;
}

namespace lanewise_samples {
/* What follows the name and perhaps '=', or null where no argument begins with this name. */
inline const char* valueOf(int argc, const char** argv, const char* name) {
  size_t length = strlen(name);
  for (int k = argc - 1; k > 0; --k) {
    const char* argument = argv[k] + stringRemoveDelimiter('-', argv[k]);
    if (argument == argv[k] || strncasecmp(argument, name, length) != 0) continue;
    return argument + length + (argument[length] == '=');
  }
  return nullptr;
}
}  // namespace lanewise_samples

inline bool checkCmdLineFlag(const int argc, const char** argv, const char* name) {
  for (int k = 1; k < argc; ++k) {
    const char* argument = argv[k] + stringRemoveDelimiter('-', argv[k]);
    size_t length = strcspn(argument, "=");
    if (length == strlen(name) && strncasecmp(argument, name, length) == 0) return true;
  }
  return false;
}
template <class T> bool getCmdLineArgumentValue(const int argc, const char** argv, const char* name, T* value) {
  const char* text = lanewise_samples::valueOf(argc, argv, name);
  if (text) *value = (T)atoi(text);
  return text != nullptr;
}
inline int getCmdLineArgumentInt(const int argc, const char** argv, const char* name) {
  const char* text = lanewise_samples::valueOf(argc, argv, name);
  return text ? atoi(text) : 0;
}
inline float getCmdLineArgumentFloat(const int argc, const char** argv, const char* name) {
  const char* text = lanewise_samples::valueOf(argc, argv, name);
  return text ? (float)atof(text) : 0;
}
inline bool getCmdLineArgumentString(const int argc, const char** argv, const char* name, char** value) {
  const char* text = lanewise_samples::valueOf(argc, argv, name);
  *value = (char*)text;
  return text != nullptr;
}

inline int getFileExtension(char* name, char** extension) {
  char* dot = strrchr(name, '.');
  *extension = dot ? dot + 1 : name + strlen(name);
  return (int)(*extension - name);
}

/* The path of a file beside the program or in a folder `data` there or further up, to be freed; null if there is none. */
inline char* sdkFindFilePath(const char* name, const char* program) {
  std::string path = program ? program : "", up;
  size_t slash = path.find_last_of("/\\");
  std::string folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
  std::string own = slash == std::string::npos ? path : path.substr(slash + 1);
  const std::string inside[] = {"", "data/", "Common/", "Common/data/", own + "/", own + "/data/"};
  for (int level = 0; level < 5; ++level, up += "../") {
    for (const std::string& from : {std::string("./"), folder}) {
      for (const std::string& within : inside) {
        std::string candidate = from + up + within + name;
        FILE* file = fopen(candidate.c_str(), "rb");
        if (!file) continue;
        fclose(file);
        return strdup(candidate.c_str());
      }
    }
  }
  return nullptr;
}
#endif
