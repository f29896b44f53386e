// Forms of fields: each reads its value from bytes, within bounds, and writes it again (PROTOCOL §4). The fields that
// stand before one are given to it, because some forms depend on them.

import { Malformed, utf8 } from "./bytes.js";

/** An unsigned number of one, two or four bytes within bounds. */
export function numberForm(size, low = 0, high = 256 ** size - 1) {
  return {
    read(reader) {
      const value = reader.number(size);
      if (value < low || value > high) throw new Malformed(`the number ${value} at offset ${reader.at - size}`);
      return value;
    },
    write: (writer, value) => writer.number(size, value),
  };
}

/** An unsigned number of eight bytes, a BigInt. */
export const longForm = {
  read: reader => reader.long(),
  write: (writer, value) => writer.number(8, value),
};

export const signedForm = {
  read: reader => reader.signed(),
  write: (writer, value) => writer.number(4, value),
};

/** An id or a key, in hexadecimal digits. */
export const idForm = {
  read: reader => reader.id(),
  write: (writer, value) => writer.id(value),
};

export function bytesForm(size) {
  return {
    read: reader => reader.take(size),
    write: (writer, value) => writer.bytes(value),
  };
}

function readLength(reader, size, low, high) {
  const length = reader.number(size);
  if (length < low || length > high) throw new Malformed(`the length ${length} at offset ${reader.at - size}`);
  return length;
}

/** UTF-8 behind its length in bytes, which has bounds. */
export function textForm(size, low, high, pattern = null) {
  return {
    read(reader) {
      const text = reader.text(readLength(reader, size, low, high));
      if (pattern && !pattern.test(text)) throw new Malformed(`the letters of the text before offset ${reader.at}`);
      return text;
    },
    write(writer, value) {
      const bytes = utf8(value);
      writer.number(size, bytes.length);
      writer.bytes(bytes);
    },
  };
}

/** Bytes behind their length, which has bounds. */
export function shortForm(size, low, high) {
  return {
    read: reader => reader.take(readLength(reader, size, low, high)),
    write(writer, value) {
      writer.number(size, value.length);
      writer.bytes(value);
    },
  };
}

/** Items of one schema behind their number; each fits those before it. */
export function listForm(size, low, high, schema, fits = () => true) {
  return {
    read(reader) {
      const items = [];
      for (let left = readLength(reader, size, low, high); left > 0; left -= 1) {
        const item = readFields(reader, schema);
        if (!fits(items, item)) throw new Malformed(`the item before offset ${reader.at} is out of order`);
        items.push(item);
      }
      return items;
    },
    write(writer, value) {
      writer.number(size, value.length);
      for (const item of value) writeFields(writer, item, schema);
    },
  };
}

/** Signed numbers behind the number of items; an item has `width` of them. */
export function scoresForm(size, low, high, width = 1) {
  return {
    read(reader) {
      const count = readLength(reader, size, low, high);
      return Array.from({ length: count * width }, () => reader.signed());
    },
    write(writer, value) {
      writer.number(size, value.length / width);
      for (const score of value) writer.number(4, score);
    },
  };
}

/** 0 for nothing, or 1 and the fields of a schema. */
export function optionalForm(schema) {
  return {
    read: reader => (flagForm.read(reader) ? readFields(reader, schema) : null),
    write(writer, value) {
      writer.number(1, value === null ? 0 : 1);
      if (value !== null) writeFields(writer, value, schema);
    },
  };
}

/** The fields of a schema that is chosen by those before. */
export function fieldsForm(choose) {
  return {
    read: (reader, fields) => readFields(reader, choose(fields)),
    write: (writer, value, fields) => writeFields(writer, value, choose(fields)),
  };
}

export const flagForm = numberForm(1, 0, 1);

/** The fields of a schema, which is a list of names and forms. */
export function readFields(reader, schema) {
  const fields = {};
  for (const [name, form] of schema) fields[name] = form.read(reader, fields);
  return fields;
}

/** What a reading gives; null where the bytes are not in its form. */
export function orNull(read) {
  try {
    return read();
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

/** The fields of a schema, behind which there is nothing. */
export function readToEnd(reader, schema) {
  const fields = readFields(reader, schema);
  if (reader.left > 0) throw new Malformed(`there are bytes behind the last field, from offset ${reader.at}`);
  return fields;
}

export function writeFields(writer, fields, schema) {
  for (const [name, form] of schema) form.write(writer, fields[name], fields);
}
