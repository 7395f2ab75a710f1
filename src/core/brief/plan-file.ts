/**
 * Where a plan is written: `<slug>.md` for the main conversation, `<slug>-agent-<id>.md` for a child. The slug
 * (adjective-action-noun) is a function of the root's id, so it is chosen once, survives a restart, and two planners
 * in parallel never share a file.
 */
import type { RunId } from '../message.js'
import { fingerprint } from '../text/text.js'

export interface PlanOwner {
  readonly runId: RunId
  readonly rootId: RunId
  readonly depth: number
}

/** The one file a run in plan mode may write. */
export function planFileOf(plansDir: string, { runId, rootId, depth }: PlanOwner): string {
  const slug = planSlug(rootId)
  return `${plansDir}/${depth === 0 ? slug : `${slug}-agent-${safeId(runId)}`}.md`
}

export function planSlug(rootId: RunId): string {
  let rest = Number.parseInt(fingerprint(rootId), 36)
  return [adjectives, actions, nouns]
    .map(words => {
      const word = words[rest % words.length]!
      rest = Math.floor(rest / words.length)
      return word
    })
    .join('-')
}

/** An id is ours, but a path is made of it: nothing that could lead elsewhere stays in it. */
const safeId = (runId: RunId): string => runId.replace(/[^A-Za-z0-9_-]/g, '_')

const adjectives = `agile amber ample apt azure bold brave breezy bright brisk calm candid clear clever cosy crisp
 curious daring deft eager early earnest even fair fancy fleet fond fresh frosty gentle glad golden grand green happy
 hardy honest humble ivory jolly keen kind light lively loyal lucid lucky mellow merry mild modest neat nimble noble
 patient plain polite proud quick quiet ready rosy silver simple sleek smart smooth snug solid spry steady sunny swift
 tidy tranquil true vivid warm wise witty young zesty`.split(/\s+/)

const actions = `asking baking bending binding blooming boating building calling camping carving casting chasing
 climbing coasting cooking counting crafting dancing darting diving drawing dreaming drifting fetching fishing flying
 folding gliding growing guiding hiking humming jogging joining juggling jumping kindling knitting landing leaping
 learning lifting mapping marching mending minding mixing moving napping painting pacing planting playing reading
 resting riding roaming rowing running sailing seeking singing skating sketching sowing spinning strolling surfing
 swimming tending tracing turning wading walking weaving whistling winding writing`.split(/\s+/)

const nouns = `acorn anchor apple badger barley beacon beaver birch bison brook canyon cedar cherry cliff clover comet
 copper coral crane cricket dolphin dune eagle ember falcon feather fern finch fjord forest fox garden geyser glacier
 grove gull harbor hazel heron hill island jasmine juniper kestrel lagoon lantern larch lark lemon lily lynx maple
 marsh meadow moon moss oak ocean orchid otter owl panda pebble pine plover poppy puffin quartz rabbit raven reef ridge
 river robin sparrow spruce stone swallow thistle tiger valley walnut willow wren`.split(/\s+/)
