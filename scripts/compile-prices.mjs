// Compiles the prices of the large providers to dist/prices.json, so that a turn's cost needs no table of 18 MB.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as full from '@pydantic/genai-prices'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { compilePrices } = await import(join(root, 'dist/adapters/models/price-table.js'))
writeFileSync(join(root, 'dist/prices.json'), `${JSON.stringify(compilePrices(full))}\n`)
