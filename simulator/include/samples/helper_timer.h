/* The stop watch of NVIDIA's samples: milliseconds of the program's clock. */
#ifndef COMMON_HELPER_TIMER_H_
#define COMMON_HELPER_TIMER_H_
#include "exception.h"
#include <chrono>

class StopWatchInterface {
  using Clock = std::chrono::steady_clock;
  Clock::time_point began;
  float total = 0;
  int sessions = 0;
  bool running = false;
  float current() const { return std::chrono::duration<float, std::milli>(Clock::now() - began).count(); }

public:
  virtual ~StopWatchInterface() {}
  virtual void start() { began = Clock::now(), running = true; }
  virtual void stop() { total += current(), ++sessions, running = false; }
  virtual void reset() {
    total = 0, sessions = 0;
    if (running) began = Clock::now();
  }
  virtual float getTime() { return total + (running ? current() : 0); }
  virtual float getAverageTime() { return sessions > 0 ? total / sessions : 0; }
};

inline bool sdkCreateTimer(StopWatchInterface** timer) { return (*timer = new StopWatchInterface) != nullptr; }
inline bool sdkDeleteTimer(StopWatchInterface** timer) {
  delete *timer;
  *timer = nullptr;
  return true;
}
inline bool sdkStartTimer(StopWatchInterface** timer) {
  if (*timer) (*timer)->start();
  return true;
}
inline bool sdkStopTimer(StopWatchInterface** timer) {
  if (*timer) (*timer)->stop();
  return true;
}
inline bool sdkResetTimer(StopWatchInterface** timer) {
  if (*timer) (*timer)->reset();
  return true;
}
inline float sdkGetTimerValue(StopWatchInterface** timer) { return *timer ? (*timer)->getTime() : 0; }
inline float sdkGetAverageTimerValue(StopWatchInterface** timer) { return *timer ? (*timer)->getAverageTime() : 0; }
#endif
