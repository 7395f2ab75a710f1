/** The TypeScript part of the shop: HTTP, carts, orders, payments, accounts. */
export const services: { readonly [path: string]: string } = {
  'services/api/src/server.ts': `import { createServer } from 'node:http'
import { readSettings } from './settings.js'
import { buildRouter } from './http/router.js'

/** Entry point: reads the settings, builds the router and listens. */
const settings = readSettings(process.env)
const router = buildRouter(settings)
createServer((request, response) => router.dispatch(request, response)).listen(settings.port)
`,
  'services/api/src/settings.ts': `export interface Settings {
  readonly port: number
  readonly databaseUrl: string
  readonly sessionSecret: string
  readonly paymentKey: string
}

/** Everything the process takes from its environment, with defaults for development. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  return {
    port: Number(env.SHOP_PORT ?? 8080),
    databaseUrl: env.SHOP_DATABASE ?? 'postgres://localhost/shop',
    sessionSecret: required(env, 'SHOP_SESSION_SECRET'),
    paymentKey: required(env, 'SHOP_PAYMENT_KEY'),
  }
}

function required(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name]
  if (!value) throw new Error(\`\${name} is not set\`)
  return value
}
`,
  'services/api/src/http/router.ts': `import type { Settings } from '../settings.js'
import { cartRoutes } from './routes/cart.js'
import { checkoutRoutes } from './routes/checkout.js'
import { catalogRoutes } from './routes/catalog.js'
import { accountRoutes } from './routes/account.js'
import { webhookRoutes } from './routes/webhooks.js'
import { guard } from './middleware/guard.js'
import { throttle } from './middleware/throttle.js'

/** All routes in one table. Order matters: the first match wins. */
export function buildRouter(settings: Settings) {
  const table = [...cartRoutes, ...checkoutRoutes, ...catalogRoutes, ...accountRoutes(settings), ...webhookRoutes(settings)]
  return {
    async dispatch(request, response) {
      const route = table.find(candidate => candidate.matches(request))
      if (!route) return response.writeHead(404).end()
      await throttle(request, response)
      if (route.needsAccount) await guard(request, settings)
      await route.handle(request, response)
    },
  }
}
`,
  'services/api/src/http/middleware/guard.ts': `import { openSession } from '../../accounts/session.js'

export class Unauthorised extends Error {
  readonly status = 401
}

/** Lets a request through only with a valid session cookie. */
export async function guard(request, settings) {
  const cookie = parseCookies(request.headers.cookie).shop_session
  const session = cookie && (await openSession(cookie, settings.sessionSecret))
  if (!session) throw new Unauthorised('sign in first')
  request.account = session.account
}

function parseCookies(header = '') {
  return Object.fromEntries(header.split(';').map(pair => pair.trim().split('=')))
}
`,
  'services/api/src/http/middleware/throttle.ts': `const windowMs = 60_000
const allowance = 120
const seen = new Map<string, number[]>()

/** At most 120 requests a minute from one address; the rest get 429 with Retry-After. */
export async function throttle(request, response, now = Date.now()) {
  const address = request.socket.remoteAddress
  const recent = (seen.get(address) ?? []).filter(at => now - at < windowMs)
  recent.push(now)
  seen.set(address, recent)
  if (recent.length > allowance) {
    response.writeHead(429, { 'Retry-After': String(Math.ceil((recent[0] + windowMs - now) / 1000)) }).end()
    throw new Error('throttled')
  }
}
`,
  'services/api/src/http/routes/cart.ts': `import { addLine, removeLine, totalOf } from '../../cart/cart.js'
import { loadCart, saveCart } from '../../cart/cart-store.js'

export const cartRoutes = [
  { method: 'POST', path: '/cart/lines', needsAccount: false, handle: async (request, response) => {
    const cart = addLine(await loadCart(request), request.body.sku, request.body.quantity)
    await saveCart(cart)
    response.json({ lines: cart.lines, total: totalOf(cart) })
  } },
  { method: 'DELETE', path: '/cart/lines/:sku', needsAccount: false, handle: async (request, response) => {
    const cart = removeLine(await loadCart(request), request.params.sku)
    await saveCart(cart)
    response.json({ lines: cart.lines, total: totalOf(cart) })
  } },
]
`,
  'services/api/src/http/routes/checkout.ts': `import { placeOrder } from '../../orders/place-order.js'

export const checkoutRoutes = [
  { method: 'POST', path: '/checkout', needsAccount: true, handle: async (request, response) => {
    const order = await placeOrder(request.account, request.body)
    response.status(201).json({ id: order.id, state: order.state })
  } },
]
`,
  'services/api/src/http/routes/catalog.ts': `import { findProducts } from '../../catalog/product-search.js'

export const catalogRoutes = [
  { method: 'GET', path: '/products', needsAccount: false, handle: async (request, response) => {
    response.json(await findProducts(request.query.q, { page: Number(request.query.page ?? 1) }))
  } },
]
`,
  'services/api/src/http/routes/account.ts': `import { registerAccount, verifyPassword } from '../../accounts/accounts.js'
import { sealSession } from '../../accounts/session.js'

export const accountRoutes = settings => [
  { method: 'POST', path: '/register', needsAccount: false, handle: async (request, response) => {
    response.status(201).json(await registerAccount(request.body.email, request.body.password))
  } },
  { method: 'POST', path: '/sessions', needsAccount: false, handle: async (request, response) => {
    const account = await verifyPassword(request.body.email, request.body.password)
    if (!account) return response.status(401).json({ error: 'wrong email or password' })
    response.cookie('shop_session', sealSession(account, settings.sessionSecret)).json({ id: account.id })
  } },
]
`,
  'services/api/src/http/routes/webhooks.ts': `import { isGenuine } from '../../payments/signature.js'
import { recordCapture } from '../../payments/ledger.js'

/** The payment provider tells us here that money has arrived. */
export const webhookRoutes = settings => [
  { method: 'POST', path: '/hooks/payment', needsAccount: false, handle: async (request, response) => {
    if (!isGenuine(request.rawBody, request.headers['x-signature'], settings.paymentKey)) return response.status(400).end()
    await recordCapture(request.body.intent, request.body.amount)
    response.status(204).end()
  } },
]
`,
  'services/api/src/cart/cart.ts': `export interface CartLine { readonly sku: string; readonly quantity: number; readonly unitCents: number }
export interface Cart { readonly id: string; readonly lines: readonly CartLine[]; readonly coupon?: string }

const mostOfOne = 20

export function addLine(cart: Cart, sku: string, quantity: number, unitCents = 0): Cart {
  const before = cart.lines.find(line => line.sku === sku)?.quantity ?? 0
  const wanted = Math.min(before + quantity, mostOfOne)
  return { ...cart, lines: [...cart.lines.filter(line => line.sku !== sku), { sku, quantity: wanted, unitCents }] }
}

export function removeLine(cart: Cart, sku: string): Cart {
  return { ...cart, lines: cart.lines.filter(line => line.sku !== sku) }
}

export function totalOf(cart: Cart): number {
  return cart.lines.reduce((sum, line) => sum + line.quantity * line.unitCents, 0)
}
`,
  'services/api/src/cart/cart-store.ts': `import { pool } from '../database/pool.js'
import type { Cart } from './cart.js'

const abandonedAfterDays = 30

export async function loadCart(request): Promise<Cart> {
  const { rows } = await pool.query('select body from carts where id = $1', [request.cartId])
  return rows[0]?.body ?? { id: request.cartId, lines: [] }
}

export async function saveCart(cart: Cart): Promise<void> {
  await pool.query('insert into carts (id, body) values ($1, $2) on conflict (id) do update set body = $2', [cart.id, cart])
}

/** Forgets baskets nobody came back to. Run nightly. */
export async function sweepAbandoned(): Promise<number> {
  const { rowCount } = await pool.query(\`delete from carts where touched < now() - interval '\${abandonedAfterDays} days'\`)
  return rowCount
}
`,
  'services/api/src/pricing/vouchers.ts': `import type { Cart } from '../cart/cart.js'

export interface Voucher { readonly code: string; readonly percent: number; readonly until: Date; readonly leastCents: number }

export type VoucherProblem = 'unknown' | 'lapsed' | 'below-minimum'

/** What a voucher takes off a cart, or why it does not apply. */
export function applyVoucher(cart: Cart, subtotal: number, voucher: Voucher | undefined, now: Date): number | VoucherProblem {
  if (!voucher) return 'unknown'
  if (voucher.until < now) return 'lapsed'
  if (subtotal < voucher.leastCents) return 'below-minimum'
  return Math.round((subtotal * voucher.percent) / 100)
}
`,
  'services/api/src/pricing/vat.ts': `const rates: Record<string, number> = { DE: 19, AT: 20, FR: 20, NL: 21, IE: 23 }

/** Value added tax included in a gross amount, by the buyer's country. */
export function vatIncluded(grossCents: number, country: string): number {
  const rate = rates[country] ?? 0
  return Math.round(grossCents - grossCents / (1 + rate / 100))
}
`,
  'services/api/src/orders/place-order.ts': `import { reserveStock, StockShortage } from '../inventory/reservation.js'
import { authorise } from '../payments/gateway.js'
import { loadCart } from '../cart/cart-store.js'
import { inTransaction } from '../database/transaction.js'
import { publish } from '../events/outbox.js'

/** Turns a cart into an order: reserve, authorise, store. Nothing is kept when any of them fails. */
export async function placeOrder(account, body) {
  const cart = await loadCart(body)
  return inTransaction(async tx => {
    const shortages = await reserveStock(tx, cart.lines)
    if (shortages.length > 0) throw new StockShortage(shortages)
    const intent = await authorise(account, cart)
    const order = await tx.insert('orders', { account: account.id, lines: cart.lines, intent, state: 'placed' })
    await publish(tx, 'order.placed', { id: order.id })
    return order
  })
}
`,
  'services/api/src/orders/order-state.ts': `export type OrderState = 'placed' | 'paid' | 'packed' | 'shipped' | 'returned' | 'cancelled'

const transitions: Record<OrderState, readonly OrderState[]> = {
  placed: ['paid', 'cancelled'],
  paid: ['packed', 'cancelled'],
  packed: ['shipped'],
  shipped: ['returned'],
  returned: [],
  cancelled: [],
}

/** Whether an order may move from one state to another. */
export function canMove(from: OrderState, to: OrderState): boolean {
  return transitions[from].includes(to)
}
`,
  'services/api/src/orders/returns.ts': `import { refund } from '../payments/gateway.js'
import { canMove } from './order-state.js'

const windowDays = 14

/** A customer sends something back: within two weeks the money is given back to the card. */
export async function acceptReturn(order, now: Date) {
  const ageDays = (now.getTime() - order.shippedAt.getTime()) / 86_400_000
  if (!canMove(order.state, 'returned') || ageDays > windowDays) return { accepted: false, reason: 'too late' }
  await refund(order.intent, order.totalCents)
  return { accepted: true }
}
`,
  'services/api/src/inventory/reservation.ts': `export class StockShortage extends Error {
  constructor(readonly skus: readonly string[]) {
    super(\`not enough of \${skus.join(', ')}\`)
  }
}

/** Sets pieces aside for an order. Returns the skus of which there are too few; then nothing is set aside. */
export async function reserveStock(tx, lines): Promise<string[]> {
  const short: string[] = []
  for (const { sku, quantity } of lines) {
    const { rowCount } = await tx.query('update stock set held = held + $2 where sku = $1 and on_hand - held >= $2', [sku, quantity])
    if (rowCount === 0) short.push(sku)
  }
  return short
}
`,
  'services/api/src/payments/gateway.ts': `import { withRetries } from '../support/with-retries.js'

const base = 'https://pay.example/v1'

/** Asks the card network to set the amount aside. */
export async function authorise(account, cart): Promise<string> {
  return withRetries(() => call('/intents', { customer: account.payerId, lines: cart.lines }), { attempts: 4 })
}

export async function refund(intent: string, cents: number): Promise<void> {
  await withRetries(() => call(\`/intents/\${intent}/refunds\`, { cents }), { attempts: 6 })
}

async function call(path: string, body: unknown) {
  const reply = await fetch(base + path, { method: 'POST', body: JSON.stringify(body) })
  if (!reply.ok) throw Object.assign(new Error(\`gateway answered \${reply.status}\`), { status: reply.status })
  return (await reply.json()).id
}
`,
  'services/api/src/payments/signature.ts': `import { createHmac, timingSafeEqual } from 'node:crypto'

/** Whether a message was really signed by the payment provider. */
export function isGenuine(body: Buffer, signature: string, key: string): boolean {
  const expected = createHmac('sha256', key).update(body).digest()
  const given = Buffer.from(signature ?? '', 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
`,
  'services/api/src/payments/ledger.ts': `import { pool } from '../database/pool.js'

/** Double entry: every capture debits the provider and credits sales. */
export async function recordCapture(intent: string, cents: number): Promise<void> {
  await pool.query('insert into ledger (intent, account, cents) values ($1, $2, $3), ($1, $4, $5)', [intent, 'provider', cents, 'sales', -cents])
}
`,
  'services/api/src/support/with-retries.ts': `export interface RetryOptions { readonly attempts: number; readonly firstDelayMs?: number }

/** Calls again after a failure, waiting twice as long each time, with some jitter. Client errors are final. */
export async function withRetries<T>(action: () => Promise<T>, { attempts, firstDelayMs = 200 }: RetryOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action()
    } catch (error) {
      const status = (error as { status?: number }).status ?? 500
      if (attempt >= attempts || (status >= 400 && status < 500)) throw error
      await new Promise(resolve => setTimeout(resolve, firstDelayMs * 2 ** (attempt - 1) * (0.5 + Math.random())))
    }
  }
}
`,
  'services/api/src/database/pool.ts': `import pg from 'pg'
import { readSettings } from '../settings.js'

export const pool = new pg.Pool({ connectionString: readSettings(process.env).databaseUrl, max: 12 })
`,
  'services/api/src/database/transaction.ts': `import { pool } from './pool.js'

/** Runs work between begin and commit; any throw rolls everything back. */
export async function inTransaction<T>(work: (tx) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
`,
  'services/api/src/events/outbox.ts': `/** Events are written beside the change that caused them and sent later, so that none is lost and none is invented. */
export async function publish(tx, name: string, payload: unknown): Promise<void> {
  await tx.query('insert into outbox (name, payload) values ($1, $2)', [name, payload])
}

export async function drainOutbox(tx, send: (name: string, payload: unknown) => Promise<void>): Promise<number> {
  const { rows } = await tx.query('select id, name, payload from outbox order by id for update skip locked limit 100')
  for (const row of rows) {
    await send(row.name, row.payload)
    await tx.query('delete from outbox where id = $1', [row.id])
  }
  return rows.length
}
`,
  'services/api/src/accounts/accounts.ts': `import { randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { pool } from '../database/pool.js'

const derive = promisify(scrypt)

export async function registerAccount(email: string, password: string) {
  const salt = randomBytes(16)
  const digest = await derive(password, salt, 64)
  const { rows } = await pool.query('insert into accounts (email, salt, digest) values ($1, $2, $3) returning id', [email.toLowerCase(), salt, digest])
  return { id: rows[0].id }
}

/** The account, or nothing when the email or the password is wrong. */
export async function verifyPassword(email: string, password: string) {
  const { rows } = await pool.query('select id, salt, digest from accounts where email = $1', [email.toLowerCase()])
  const digest = rows[0] && (await derive(password, rows[0].salt, 64))
  return digest && digest.equals(rows[0].digest) ? { id: rows[0].id } : undefined
}
`,
  'services/api/src/accounts/session.ts': `import { createHmac } from 'node:crypto'

const livesForMs = 12 * 3_600_000

export function sealSession(account: { id: string }, secret: string, now = Date.now()): string {
  const body = Buffer.from(JSON.stringify({ account: account.id, until: now + livesForMs })).toString('base64url')
  return \`\${body}.\${createHmac('sha256', secret).update(body).digest('base64url')}\`
}

/** Opens a sealed cookie; nothing when it was tampered with or has run out. */
export async function openSession(cookie: string, secret: string, now = Date.now()) {
  const [body, seal] = cookie.split('.')
  if (createHmac('sha256', secret).update(body).digest('base64url') !== seal) return undefined
  const session = JSON.parse(Buffer.from(body, 'base64url').toString())
  return session.until > now ? session : undefined
}
`,
  'services/api/src/catalog/product-search.ts': `import { pool } from '../database/pool.js'

const pageSize = 24

/** Full-text search over title and description, best rank first. */
export async function findProducts(words: string, { page }: { page: number }) {
  const { rows } = await pool.query(
    'select sku, title, cents from products where document @@ plainto_tsquery($1) order by ts_rank(document, plainto_tsquery($1)) desc limit $2 offset $3',
    [words, pageSize, (page - 1) * pageSize],
  )
  return rows
}
`,
}
