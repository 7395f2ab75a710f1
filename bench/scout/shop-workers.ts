/** The Python and Go parts of the shop, its schema, tests and documents. */
export const workers: { readonly [path: string]: string } = {
  'workers/mailer/templates.py': `"""Texts of the letters the shop sends, by event and language."""

TEMPLATES = {
    ("order.placed", "en"): "Thank you! Your order {id} has arrived with us.",
    ("order.shipped", "en"): "Your parcel is on its way: {tracking}",
    ("order.placed", "de"): "Danke! Ihre Bestellung {id} ist eingegangen.",
}


def render_letter(event, language, values):
    template = TEMPLATES.get((event, language)) or TEMPLATES[(event, "en")]
    return template.format(**values)
`,
  'workers/mailer/sender.py': `"""Delivers letters over SMTP and keeps those that bounce."""
import smtplib
from email.message import EmailMessage

from .templates import render_letter

BOUNCE_LIMIT = 3


class Mailer:
    def __init__(self, host, bounces):
        self.host = host
        self.bounces = bounces

    def deliver(self, address, event, language, values):
        if self.bounces.count(address) >= BOUNCE_LIMIT:
            return False
        message = EmailMessage()
        message["To"] = address
        message.set_content(render_letter(event, language, values))
        try:
            with smtplib.SMTP(self.host) as connection:
                connection.send_message(message)
        except smtplib.SMTPRecipientsRefused:
            self.bounces.add(address)
            return False
        return True
`,
  'workers/reports/daily_sales.py': `"""Sums up yesterday's ledger into one row per category."""
from collections import defaultdict


def summarise(rows):
    totals = defaultdict(int)
    for row in rows:
        if row["account"] == "sales":
            totals[row["category"]] -= row["cents"]
    return dict(totals)


def write_csv(totals, out):
    out.write("category,cents\\n")
    for category in sorted(totals):
        out.write(f"{category},{totals[category]}\\n")
`,
  'workers/recommend/similarity.py': `"""Which products are bought together."""
from math import sqrt


def cosine(a, b):
    shared = set(a) & set(b)
    return len(shared) / sqrt(len(a) * len(b)) if a and b else 0.0


def neighbours(sku, baskets, limit=5):
    buyers = {other: {i for i, basket in enumerate(baskets) if other in basket} for basket in baskets for other in basket}
    ranked = sorted(((cosine(buyers[sku], seen), other) for other, seen in buyers.items() if other != sku), reverse=True)
    return [other for _, other in ranked[:limit]]
`,
  'workers/importer/supplier_feed.py': `"""Reads the suppliers' nightly price lists (CSV, semicolons, comma as the decimal mark)."""
import csv


class FeedError(ValueError):
    def __init__(self, line, reason):
        super().__init__(f"line {line}: {reason}")


def parse_feed(stream):
    for number, row in enumerate(csv.DictReader(stream, delimiter=";"), start=2):
        try:
            cents = round(float(row["price"].replace(",", ".")) * 100)
        except (KeyError, ValueError) as error:
            raise FeedError(number, "no usable price") from error
        yield {"sku": row["sku"].strip().upper(), "cents": cents}
`,
  'workers/images/thumbnails.py': `"""Makes small pictures of products in the sizes the shop front needs."""
SIZES = {"list": (240, 240), "detail": (900, 900)}


def fit(width, height, box):
    scale = min(box[0] / width, box[1] / height, 1)
    return round(width * scale), round(height * scale)
`,
  'shipping/cmd/dispatcher/main.go': `package main

import (
	"log"
	"shop/shipping/internal/carrier"
	"shop/shipping/internal/queue"
)

func main() {
	jobs := queue.Open("shipping")
	for job := range jobs.Take(8) {
		label, err := carrier.Choose(job.Parcel).Book(job.Parcel)
		if err != nil {
			jobs.PutBack(job, err)
			continue
		}
		log.Printf("parcel %s goes with %s", job.Parcel.ID, label.Carrier)
		jobs.Done(job)
	}
}
`,
  'shipping/internal/carrier/carrier.go': `package carrier

// Carrier books a parcel with a transport company and returns its label.
type Carrier interface {
	Book(parcel Parcel) (Label, error)
}

// Choose picks the cheapest company that takes a parcel of this weight to this country.
func Choose(parcel Parcel) Carrier {
	best := carriers[0]
	for _, candidate := range carriers {
		if candidate.takes(parcel) && candidate.rate(parcel) < best.rate(parcel) {
			best = candidate
		}
	}
	return best
}
`,
  'shipping/internal/queue/queue.go': `package queue

import "time"

const (
	leaseFor    = 5 * time.Minute
	mostRetries = 5
)

// Take leases jobs to this worker. A job whose lease runs out goes to another one.
func (q *Queue) Take(workers int) <-chan Job {
	out := make(chan Job, workers)
	go q.feed(out)
	return out
}

// PutBack returns a failed job for later, or moves it to the dead letters after the last try.
func (q *Queue) PutBack(job Job, cause error) {
	if job.Tries >= mostRetries {
		q.bury(job, cause)
		return
	}
	q.delay(job, time.Duration(1<<job.Tries)*time.Second)
}
`,
  'shipping/internal/tracking/tracking.go': `package tracking

// Normalise brings the carriers' status words to ours: underway, delivered, lost.
func Normalise(carrier, status string) State {
	if state, ok := words[carrier][status]; ok {
		return state
	}
	return Underway
}
`,
  'database/migrations/0001_start.sql': `create table accounts (id bigserial primary key, email text unique, salt bytea, digest bytea);
create table products (sku text primary key, title text, cents int, document tsvector);
create table carts (id uuid primary key, body jsonb, touched timestamptz default now());
create table orders (id bigserial primary key, account bigint, lines jsonb, intent text, state text);
create table stock (sku text primary key, on_hand int, held int default 0);
`,
  'database/migrations/0002_ledger.sql': `create table ledger (id bigserial primary key, intent text, account text, cents int, at timestamptz default now());
create table outbox (id bigserial primary key, name text, payload jsonb);
`,
  'services/api/test/vouchers.test.ts': `import { applyVoucher } from '../src/pricing/vouchers.js'

test('a voucher that has run out takes nothing off', () => {
  expect(applyVoucher(cart, 5000, { ...voucher, until: yesterday }, today)).toBe('lapsed')
})
`,
  'services/api/test/order-state.test.ts': `import { canMove } from '../src/orders/order-state.js'

test('a packed order can no longer be cancelled', () => {
  expect(canMove('packed', 'cancelled')).toBe(false)
})
`,
  'services/api/test/with-retries.test.ts': `import { withRetries } from '../src/support/with-retries.js'

test('a client error is not tried again', async () => {
  await expect(withRetries(failing(404), { attempts: 3 })).rejects.toThrow()
})
`,
  'workers/tests/test_supplier_feed.py': `from importer.supplier_feed import parse_feed


def test_a_price_with_a_comma_is_read():
    assert list(parse_feed(["sku;price", "a1;2,50"]))[0]["cents"] == 250
`,
  'shipping/internal/queue/queue_test.go': `package queue

func TestPutBackBuriesAfterTheLastTry(t *testing.T) {
	q := newMemoryQueue()
	q.PutBack(Job{Tries: 5}, errTest)
	if len(q.dead) != 1 {
		t.Fatal("not buried")
	}
}
`,
  'docs/architecture.md': `# Architecture

Three parts share one database: the HTTP service (\`services/api\`), the Python workers and the Go shipping service.

## Events

Changes write events to the outbox (\`publish\` in \`events/outbox.ts\`). A loop calls \`drainOutbox\` and sends them on.

## Money

Payments are authorised at checkout and captured when the provider calls our webhook. The ledger is double entry.
`,
  'docs/operations.md': `# Operations

## Dead letters

Jobs that failed five times lie in the dead letters. \`shipctl revive <id>\` puts one back.

## Nightly work

The importer reads the suppliers' price lists at two, abandoned baskets are swept at three, reports are written at four.
`,
  'README.md': `# Shop

The backend of a small web shop: carts, orders, payments, shipping, letters to customers.

## Running it

Set \`SHOP_SESSION_SECRET\` and \`SHOP_PAYMENT_KEY\`, then \`npm start\`.
`,
  'package.json': `{ "name": "shop", "description": "Backend of a small web shop", "type": "module", "scripts": { "test": "vitest run" } }
`,
}
