// Where a thread begins: as on Linux, an exception that its function lets out ends the program.
extern "C" void *__lanewise_call_thread(void *(*function)(void *), void *argument) noexcept { return function(argument); }
