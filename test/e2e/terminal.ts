/** A real terminal: the program in tmux. Type, wait for what must appear, look at the screen. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bin, type Home, root } from './program.js'

export const hasTmux = spawnSync('tmux', ['-V']).status === 0

export interface TerminalOptions {
  readonly width?: number
  readonly height?: number
  readonly env?: Readonly<Record<string, string>>
  /** A job of an interactive shell, which can be stopped and go on. */
  readonly isJob?: boolean
}

export class Terminal {
  readonly #socket: string
  readonly #seen: string[] = []

  constructor(home: Home, args: readonly string[], options: TerminalOptions = {}) {
    const { width = 100, height = 30, env = {}, isJob = false } = options
    this.#socket = `offshoot-${process.pid}-${Math.random().toString(36).slice(2)}`
    const quoted = [process.execPath, bin, ...args].map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
    const variables = Object.entries({ ...home.env, ...env }).map(([name, value]) => `${name}='${value}'`)
    const alone = `env -i ${variables.join(' ')} ${quoted}`
    const command = `cd '${home.project}' && ${isJob ? 'exec bash --norc -i' : `${alone}; echo "[left with $?]"; cat`}`
    this.#tmux('-f', '/dev/null', 'new-session', '-d', '-x', String(width), '-y', String(height), command)
    this.#tmux('set-option', '-g', 'history-limit', '10000')
    if (isJob) this.#tmux('send-keys', `${alone}`, 'Enter')
  }

  /** Plain text is typed; `Enter`, `Escape`, `C-c` and the like are keys. */
  async type(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const isKey = /^(Enter|Escape|Tab|Up|Down|Left|Right|Space|BSpace|C-\w|PPage|NPage)$/.test(key)
      this.#tmux('send-keys', ...(isKey ? [] : ['-l']), key)
      // Keys in one piece would be a paste.
      await sleep(30)
    }
  }

  /** As a terminal hands over what was copied: in one piece, between the marks of a paste. */
  paste(text: string): void {
    const path = join(tmpdir(), `${this.#socket}-paste`)
    writeFileSync(path, text)
    this.#tmux('load-buffer', path)
    this.#tmux('paste-buffer', '-p')
    rmSync(path)
  }

  /** Bytes as they are, in one write. */
  send(bytes: string): void {
    this.#tmux('send-keys', '-H', ...Array.from(Buffer.from(bytes), byte => byte.toString(16)))
  }

  screen(): string {
    return this.#tmux('capture-pane', '-p')
  }

  /** With what was scrolled away. */
  everything(): string {
    return this.#tmux('capture-pane', '-p', '-S', '-')
  }

  /** With colours. */
  coloured(): string {
    return this.#tmux('capture-pane', '-p', '-e')
  }

  resize(width: number, height: number): void {
    this.#tmux('resize-window', '-x', String(width), '-y', String(height))
  }

  /** Waits until the screen shows it. Fails with the last screens, which are kept as files, too. */
  async shows(what: string | RegExp, withinMs = 30_000): Promise<string> {
    for (const end = Date.now() + withinMs; ; ) {
      const screen = this.screen()
      if (this.#seen.at(-1) !== screen) this.#seen.push(screen)
      if (typeof what === 'string' ? screen.includes(what) : what.test(screen)) return screen
      if (Date.now() > end) throw new Error(`the screen never showed ${what}; kept in ${this.#keep()}:\n${screen}`)
      await sleep(40)
    }
  }

  pid(): number {
    const shell = Number(this.#tmux('display-message', '-p', '#{pane_pid}'))
    const found = execFileSync('ps', ['-o', 'pid=', '--ppid', String(shell)], { encoding: 'utf8' })
    return Number(found.trim().split('\n')[0])
  }

  close(): void {
    spawnSync('tmux', ['-L', this.#socket, 'kill-server'])
  }

  #keep(): string {
    const folder = join(root, 'test-captures')
    mkdirSync(folder, { recursive: true })
    const path = join(folder, `${this.#socket}.txt`)
    writeFileSync(path, this.#seen.slice(-40).join(`\n${'='.repeat(80)}\n`))
    return path
  }

  #tmux(...args: readonly string[]): string {
    return execFileSync('tmux', ['-u', '-L', this.#socket, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }
}
