/* The recording of a program's writes below one folder: what record.c appends and cuts.c reads.
 *
 * A trace is a row of records in the order in which the calls took effect, each a header and then `length`
 * bytes. Files and folders are known by their inode's number; the watched folder itself is number ROOT.
 *
 *   kind        number           other             offset          size     bytes
 *   CREATE      the folder       the new file                               its name
 *   FOLDER      the folder       the new folder                             its name
 *   NAMELESS                     the new file                               none: it has no name until a LINK
 *   LINK        the folder       the file                                   the new name
 *   REMOVE      the folder                                                  the name
 *   RENAME      the folder       its new folder                             both names, 0 between them
 *   WRITE       the file                           of the bytes    after    what was written; flag SYNCED
 *   MAPPED      the file                           of the bytes    after    what a shared map now holds there
 *   RESIZE      the file                                           after
 *   SYNC        what was synced                                             flag DATA_ONLY for fdatasync
 *   OUTPUT      1 or 2                                                      what was printed
 *   START                                                                   a process's command line
 */
#ifndef PARLOR_TRACE_H
#define PARLOR_TRACE_H

#include <stdint.h>

enum { ROOT = 0 };

enum kind {
  CREATE = 'C',
  FOLDER = 'F',
  NAMELESS = 'A',
  LINK = 'L',
  REMOVE = 'R',
  RENAME = 'N',
  WRITE = 'W',
  MAPPED = 'M',
  RESIZE = 'T',
  SYNC = 'S',
  OUTPUT = 'O',
  START = 'P',
};

enum { SYNCED = 1, DATA_ONLY = 2 };

struct record {
  uint32_t kind;
  uint32_t flags;
  uint64_t number;
  uint64_t other;
  uint64_t offset;
  uint64_t size;
  uint64_t length;
};

#endif
