/** Several runs of one agent are told apart by number: `Explore`, `Explore#2`. `count`: how many there are with this one. */
export const runName = (agent: string, count: number): string => (count === 1 ? agent : `${agent}#${count}`)
