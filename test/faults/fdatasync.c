/*
 * Preloaded into a process, writes down in which order it writes to its store, flushes it, and
 * acknowledges. One line per call, in SYNC_LOG:
 *
 *   BEGIN END write FILE OFFSET LENGTH COMMIT MARKS…
 *   BEGIN END sync FILE
 *   BEGIN END ack TEXT
 *
 * BEGIN and END are taken from one counter of the process, before the call and after it: a call
 * whose BEGIN is larger than the END of another began when the other was over. COMMIT is 1 for the
 * header of the last frame of a transaction in a write-ahead log. MARKS are the numbers N of every
 * "<<N>>" in what is written: a value that the test stores has its own, so that a page can be
 * recognised. A call that failed is written down with "failed" instead of its name.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { LINE_BYTES = 16 * 1024, FRAME_HEADER_BYTES = 24 };

static atomic_ulong counter;

static unsigned long now(void) { return atomic_fetch_add(&counter, 1) + 1; }

static int log_file(void) {
  static atomic_int file = -1;
  int known = atomic_load(&file);
  if (known >= 0) return known;
  const char *path = getenv("SYNC_LOG");
  if (path == NULL) return -1;
  int opened = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  int expected = -1;
  if (atomic_compare_exchange_strong(&file, &expected, opened)) return opened;
  close(opened);
  return expected;
}

/* One system call per line, so that lines of several threads do not mix; never through our own. */
static void put_line(const char *line, size_t length) {
  int file = log_file();
  if (file >= 0 && syscall(SYS_write, file, line, length) < 0) abort();
}

/* The name of an open file without its folders, or NULL when it is none that matters. */
static const char *file_name(int fd, char *path, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, size - 1);
  if (length <= 0) return NULL;
  path[length] = 0;
  const char *slash = strrchr(path, '/');
  const char *name = slash == NULL ? path : slash + 1;
  if (strncmp(name, "store.db", 8) == 0 || strcmp(name, "acks") == 0) return name;
  return NULL;
}

static size_t append_marks(char *line, size_t used, const char *data, size_t length) {
  const char *end = data + length;
  for (const char *at = data; at + 4 < end; at++) {
    if (at[0] != '<' || at[1] != '<') continue;
    const char *digit = at + 2;
    while (digit < end && *digit >= '0' && *digit <= '9') digit++;
    if (digit == at + 2 || digit + 1 >= end || digit[0] != '>' || digit[1] != '>') continue;
    if (used + 32 > LINE_BYTES) abort();
    used += (size_t)snprintf(line + used, 32, " %.*s", (int)(digit - at - 2), at + 2);
  }
  return used;
}

/* The second number of a frame's header is the size of the database after a commit, else 0. */
static int is_commit(const char *name, const unsigned char *data, size_t length) {
  size_t name_length = strlen(name);
  if (length != FRAME_HEADER_BYTES || name_length < 4) return 0;
  if (strcmp(name + name_length - 4, "-wal") != 0) return 0;
  return (data[4] | data[5] | data[6] | data[7]) != 0;
}

static void describe_write(const char *name, const char *data, size_t length, long long offset,
                           unsigned long begin, ssize_t result) {
  unsigned long end = now();
  char line[LINE_BYTES];
  size_t used;
  if (strcmp(name, "acks") == 0) {
    const char *newline = memchr(data, '\n', length);
    int text = newline == NULL ? (int)length : (int)(newline - data);
    used = (size_t)snprintf(line, sizeof line, "%lu %lu ack %.*s", begin, end, text, data);
  } else {
    const char *kind = result == (ssize_t)length ? "write" : "failed";
    int commit = is_commit(name, (const unsigned char *)data, length);
    used = (size_t)snprintf(line, sizeof line, "%lu %lu %s %s %lld %zu %d", begin, end, kind, name, offset,
                            length, commit);
    used = append_marks(line, used, data, length);
  }
  line[used++] = '\n';
  put_line(line, used);
}

static void describe_sync(const char *name, unsigned long begin, int result) {
  char line[512];
  const char *kind = result == 0 ? "sync" : "failed";
  int used = snprintf(line, sizeof line, "%lu %lu %s %s\n", begin, now(), kind, name);
  put_line(line, (size_t)used);
}

/* The caller wants to know why its call failed, not how ours went. */
static void note_write(int fd, const void *data, size_t length, long long offset, unsigned long begin,
                       ssize_t result) {
  int reason = errno;
  char path[4096];
  const char *name = file_name(fd, path, sizeof path);
  if (name != NULL) describe_write(name, data, length, offset, begin, result);
  errno = reason;
}

static void note_sync(int fd, unsigned long begin, int result) {
  int reason = errno;
  char path[4096];
  const char *name = file_name(fd, path, sizeof path);
  if (name != NULL) describe_sync(name, begin, result);
  errno = reason;
}

/* The next definition of a function of the C library. */
#define REAL(name) \
  static __typeof__(name) *real; \
  if (real == NULL) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *data, size_t length) {
  REAL(write);
  unsigned long begin = now();
  ssize_t result = real(fd, data, length);
  note_write(fd, data, length, -1, begin, result);
  return result;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
  REAL(pwrite);
  unsigned long begin = now();
  ssize_t result = real(fd, data, length, offset);
  note_write(fd, data, length, offset, begin, result);
  return result;
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
  REAL(pwrite64);
  unsigned long begin = now();
  ssize_t result = real(fd, data, length, offset);
  note_write(fd, data, length, offset, begin, result);
  return result;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  REAL(writev);
  unsigned long begin = now();
  ssize_t result = real(fd, parts, count);
  for (int at = 0; at < count; at++) {
    note_write(fd, parts[at].iov_base, parts[at].iov_len, -1, begin, (ssize_t)parts[at].iov_len);
  }
  return result;
}

int fdatasync(int fd) {
  REAL(fdatasync);
  unsigned long begin = now();
  int result = real(fd);
  note_sync(fd, begin, result);
  return result;
}

int fsync(int fd) {
  REAL(fsync);
  unsigned long begin = now();
  int result = real(fd);
  note_sync(fd, begin, result);
  return result;
}
