// Prints a Parquet file as hyparquet reads it, as JSON: the rows, each value as a text of its type and bits, and the
// metadata. usage: node read.mjs FILE
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'

const file = await asyncBufferFromFile(process.argv[2])
const metadata = await parquetMetadataAsync(file)
const schema = parquetSchema(metadata)
const columns = schema.children.map(child => child.element)

function text(v, column) {
  if (v === null || v === undefined) return 'null'
  switch (typeof v) {
    case 'string': return 'string ' + v
    case 'boolean': return 'bool ' + v
    case 'bigint': return (column.converted_type === 'UINT_64' ? 'uint64 ' : 'int64 ') + v
    case 'number': {
      if (column.type === 'INT32') return 'int32 ' + v
      if (Number.isNaN(v)) return 'float64 NaN'
      const bits = new DataView(new ArrayBuffer(8))
      bits.setFloat64(0, v)
      return 'float64 ' + bits.getBigUint64(0).toString(16).padStart(16, '0')
    }
  }
  return typeof v
}

const rows = await parquetReadObjects({ file, metadata, compressors })
console.log(JSON.stringify({
  name: schema.element.name,
  columns: columns.map(c => c.name),
  rows: rows.map(row => columns.map(c => text(row[c.name], c))),
  groups: metadata.row_groups.map(g => Number(g.num_rows)),
  metadata: (metadata.key_value_metadata ?? []).map(({ key, value }) => ({ key, value })),
}))
