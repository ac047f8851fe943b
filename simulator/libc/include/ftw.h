/* With glibc's values, which are other than musl's. */
#ifndef _FTW_H
#define _FTW_H

#include <features.h>
#include <sys/stat.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FTW_F, FTW_D, FTW_DNR, FTW_NS, FTW_SL, FTW_DP, FTW_SLN };
enum { FTW_PHYS = 1, FTW_MOUNT = 2, FTW_CHDIR = 4, FTW_DEPTH = 8 };

/* Also as macros, by which musl's sources and some programs ask for them. */
#define FTW_F FTW_F
#define FTW_D FTW_D

struct FTW {
  int base, level;
};

int ftw(const char *, int (*)(const char *, const struct stat *, int), int);
int nftw(const char *, int (*)(const char *, const struct stat *, int, struct FTW *), int, int);

#ifdef __cplusplus
}
#endif

#endif
