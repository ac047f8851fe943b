/* What Linux's header declares beside WASI's, by which a program signals itself alone. */
#ifndef __LANEWISE_LINUX_SIGNAL_H
#define __LANEWISE_LINUX_SIGNAL_H
#include_next <signal.h>
#include <sys/types.h>
#define SA_NOCLDSTOP 1
#define SA_SIGINFO 4
#define SA_RESTART 0x10000000
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#ifdef __cplusplus
extern "C" {
#endif
typedef struct {
  int si_signo, si_errno, si_code;
  void* si_addr;
} siginfo_t;
struct sigaction {
  union {
    void (*sa_handler)(int);
    void (*sa_sigaction)(int, siginfo_t*, void*);
  };
  sigset_t sa_mask;
  int sa_flags;
};
int kill(pid_t process, int number);
int sigaction(int number, const struct sigaction* action, struct sigaction* old);
int sigemptyset(sigset_t* set);
int sigfillset(sigset_t* set);
int sigaddset(sigset_t* set, int number);
int sigdelset(sigset_t* set, int number);
int sigismember(const sigset_t* set, int number);
int sigprocmask(int how, const sigset_t* set, sigset_t* old);
#ifdef __cplusplus
}
#endif
#endif
