#ifndef PARLOR_PAGE_H
#define PARLOR_PAGE_H

#include <stddef.h>

/* A file of the page, which lies in Sources/Web/Page. */
typedef struct {
  const char *path;
  const char *type;
  const unsigned char *bytes;
  size_t count;
} parlor_page_file;

/* The file with this index; NULL behind the last one. */
const parlor_page_file *parlor_page_file_at(size_t index);

#endif
