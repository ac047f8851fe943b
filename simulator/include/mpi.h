/*
 * The message passing interface, as far as the simulator has it: messages between ranks, collectives, communicators. `lanewise run --ranks N`
 * runs N ranks of a program, each with memory and devices of its own; simulator/runtime/mpi/ implements these functions. Buffers may lie
 * in device memory. What is not declared here does not exist: no derived types, windows, files, topologies.
 */
#ifndef MPI_H
#define MPI_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

#define MPI_VERSION 3
#define MPI_SUBVERSION 1

typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Op;
typedef int MPI_Request;
typedef int MPI_Info;
typedef long MPI_Aint;
typedef struct MPI_Status {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
  int lanewise_bytes;
} MPI_Status;

#define MPI_COMM_NULL 0
#define MPI_COMM_WORLD 1
#define MPI_COMM_SELF 2
#define MPI_REQUEST_NULL 0
#define MPI_INFO_NULL 0
#define MPI_PROC_NULL (-2)
#define MPI_ANY_SOURCE (-1)
#define MPI_ANY_TAG (-1)
#define MPI_UNDEFINED (-32766)
#define MPI_IN_PLACE ((void *)-1)
#define MPI_BOTTOM ((void *)0)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
#define MPI_SUCCESS 0
#define MPI_ERR_OTHER 15
#define MPI_MAX_PROCESSOR_NAME 256
#define MPI_MAX_ERROR_STRING 256
#define MPI_COMM_TYPE_SHARED 1
#define MPI_THREAD_SINGLE 0
#define MPI_THREAD_FUNNELED 1
#define MPI_THREAD_SERIALIZED 2
#define MPI_THREAD_MULTIPLE 3

/* Number of the kind, times 256, and bytes. */
#define MPI_CHAR 0x101
#define MPI_SIGNED_CHAR 0x101
#define MPI_INT8_T 0x101
#define MPI_UNSIGNED_CHAR 0x201
#define MPI_BYTE 0x201
#define MPI_UINT8_T 0x201
#define MPI_C_BOOL 0x201
#define MPI_CXX_BOOL 0x201
#define MPI_SHORT 0x302
#define MPI_INT16_T 0x302
#define MPI_UNSIGNED_SHORT 0x402
#define MPI_UINT16_T 0x402
#define MPI_INT 0x504
#define MPI_INT32_T 0x504
#define MPI_UNSIGNED 0x604
#define MPI_UINT32_T 0x604
#define MPI_LONG 0x708
#define MPI_LONG_LONG 0x708
#define MPI_LONG_LONG_INT 0x708
#define MPI_INT64_T 0x708
#define MPI_AINT 0x708
#define MPI_UNSIGNED_LONG 0x808
#define MPI_UNSIGNED_LONG_LONG 0x808
#define MPI_UINT64_T 0x808
#define MPI_FLOAT 0x904
#define MPI_DOUBLE 0xa08

#define MPI_SUM 1
#define MPI_PROD 2
#define MPI_MAX 3
#define MPI_MIN 4
#define MPI_LAND 5
#define MPI_LOR 6
#define MPI_BAND 7
#define MPI_BOR 8
#define MPI_BXOR 9

int MPI_Init(int *argc, char ***argv);
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int MPI_Initialized(int *flag);
int MPI_Finalize(void);
int MPI_Finalized(int *flag);
int MPI_Abort(MPI_Comm comm, int code);
int MPI_Get_processor_name(char *name, int *length);
int MPI_Error_string(int code, char *text, int *length);
double MPI_Wtime(void);
double MPI_Wtick(void);

int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *out);
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *out);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *out);
int MPI_Comm_free(MPI_Comm *comm);

int MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Ssend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status);
int MPI_Sendrecv(const void *data, int count, MPI_Datatype type, int to, int tag, void *into, int most, MPI_Datatype intoType, int from,
                 int intoTag, MPI_Comm comm, MPI_Status *status);
int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Wait(MPI_Request *request, MPI_Status *status);
int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]);
int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status);
int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status);
int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status);
int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status);
int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count);
int MPI_Type_size(MPI_Datatype type, int *size);

int MPI_Barrier(MPI_Comm comm);
int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Reduce(const void *data, void *result, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);
int MPI_Allreduce(const void *data, void *result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Gather(const void *data, int count, MPI_Datatype type, void *into, int each, MPI_Datatype intoType, int root, MPI_Comm comm);
int MPI_Allgather(const void *data, int count, MPI_Datatype type, void *into, int each, MPI_Datatype intoType, MPI_Comm comm);
int MPI_Scatter(const void *data, int each, MPI_Datatype type, void *into, int count, MPI_Datatype intoType, int root, MPI_Comm comm);

#ifdef __cplusplus
}
#endif
#endif
