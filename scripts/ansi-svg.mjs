// Terminal screens, with their colour codes, as one SVG: a still, or frames that follow each other.
const palette = {
  30: '#484f58',
  31: '#ff7b72',
  32: '#3fb950',
  33: '#d29922',
  34: '#58a6ff',
  35: '#bc8cff',
  36: '#39c5cf',
  37: '#b1bac4',
  90: '#6e7681',
  91: '#ffa198',
  92: '#56d364',
  93: '#e3b341',
  94: '#79c0ff',
  95: '#d2a8ff',
  96: '#56d4dd',
  97: '#f0f6fc',
}
const ink = '#e6edf3'
const paper = '#0d1117'
const cell = { width: 8.4, height: 18 }
const margin = { x: 16, top: 44, bottom: 16 }

/** `frames`: [{ text, ms }], each a screen as `tmux capture-pane -e` prints it. The last one stays longest. */
export function svgOf(frames, { columns, rows, title }) {
  const width = Math.round(columns * cell.width + margin.x * 2)
  const height = margin.top + rows * cell.height + margin.bottom
  const total = frames.reduce((sum, { ms }) => sum + ms, 0)
  let at = 0
  const drawn = frames.map(({ text, ms }, index) => {
    const from = (at / total) * 100
    at += ms
    return { body: linesOf(text, rows), name: `f${index}`, from, to: (at / total) * 100 }
  })
  const isStill = drawn.length === 1
  const rules = isStill ? '' : drawn.map(({ name, from, to }) => keyframes(name, from, to, total)).join('')
  const groups = drawn.map(({ body, name }) => `<g${isStill ? '' : ` class="${name}"`}>${body}</g>`).join('\n')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;fill:${ink}}.b{font-weight:700}.d{opacity:.6}.i{font-style:italic}.u{text-decoration:underline}.s{text-decoration:line-through}${rules}</style>
<rect width="${width}" height="${height}" rx="10" fill="${paper}"/>
<circle cx="20" cy="20" r="6" fill="#ff5f57"/><circle cx="40" cy="20" r="6" fill="#febc2e"/><circle cx="60" cy="20" r="6" fill="#28c840"/>
<text x="${width / 2}" y="25" text-anchor="middle" class="d">${escaped(title)}</text>
${groups}
</svg>
`
}

// A frame that is not its turn is hidden; without animations the last one is seen.
function keyframes(name, from, to, total) {
  const isLast = to > 99.99
  const steps = [
    from > 0 ? `0%,${(from - 0.01).toFixed(2)}%{visibility:hidden}` : '',
    `${from.toFixed(2)}%,${isLast ? '100' : (to - 0.01).toFixed(2)}%{visibility:visible}`,
    isLast ? '' : `${to.toFixed(2)}%,100%{visibility:hidden}`,
  ]
  return `.${name}{visibility:${isLast ? 'visible' : 'hidden'};animation:${name} ${total}ms step-end infinite}@keyframes ${name}{${steps.join('')}}`
}

// A style holds until it is changed, over the end of a line, too.
function linesOf(text, rows) {
  let style = {}
  let out = ''
  for (const [row, line] of text.split('\n').slice(0, rows).entries()) {
    let column = 0
    for (const part of line.split(/(\u001b\[[0-9;]*m)/)) {
      const codes = /^\u001b\[([0-9;]*)m$/.exec(part)
      if (codes) style = applied(style, codes[1].split(';').map(Number))
      else if (part) {
        out += spanOf(part, column, margin.top + row * cell.height + 13, style)
        column += widthOf(part)
      }
    }
  }
  return out
}

function spanOf(text, column, y, style) {
  const x = (margin.x + column * cell.width).toFixed(1)
  const length = (widthOf(text) * cell.width).toFixed(1)
  if (text.trim() === '' && !style.inverse) return ''
  const box = style.inverse
    ? `<rect x="${x}" y="${y - 13}" width="${length}" height="${cell.height}" fill="${style.fill ?? ink}"/>`
    : ''
  const fill = style.inverse ? paper : style.fill
  const classes = ['b', 'd', 'i', 'u', 's'].filter(name => style[name]).join(' ')
  return `${box}<text x="${x}" y="${y}" textLength="${length}"${classes ? ` class="${classes}"` : ''}${fill ? ` fill="${fill}" style="fill:${fill}"` : ''} xml:space="preserve">${escaped(text)}</text>`
}

function applied(style, codes) {
  let next = { ...style }
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at]
    if (code === 0) next = {}
    else if (code === 1) next.b = true
    else if (code === 2) next.d = true
    else if (code === 3) next.i = true
    else if (code === 4) next.u = true
    else if (code === 7) next.inverse = true
    else if (code === 9) next.s = true
    else if (code === 22) Object.assign(next, { b: false, d: false })
    else if (code === 23) next.i = false
    else if (code === 24) next.u = false
    else if (code === 27) next.inverse = false
    else if (code === 29) next.s = false
    else if (code === 39) next.fill = undefined
    else if (palette[code]) next.fill = palette[code]
    else if (code === 38 && codes[at + 1] === 2) {
      next.fill = `rgb(${codes.slice(at + 2, at + 5).join(',')})`
      at += 4
    } else if (code === 38 || code === 48) at += codes[at + 1] === 2 ? 4 : 2
  }
  return next
}

const widthOf = text =>
  [...text].reduce(
    (sum, sign) => sum + (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uff00-\uff60]/.test(sign) ? 2 : 1),
    0,
  )
const escaped = text =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
