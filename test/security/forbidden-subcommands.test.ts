// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions
import { describe, expect, test } from 'vitest'
import { bash, grant, judge, link } from '../support/judging.js'

const all = ['Bash']
const bypass = { chain: [link({ mode: 'bypassPermissions' })] }

describe('D08 an option before the subcommand led around a deny of it', () => {
  test.each([
    ['Bash(git push *)', 'git -C . push'],
    ['Bash(git push *)', 'git -c x=y push origin main'],
    ['Bash(git push *)', 'git --no-pager push'],
    ['Bash(git push *)', '/usr/bin/git -C . --no-pager -c a=b push'],
    ['Bash(git push *)', 'GIT -C . push'],
    ['Bash(git push *)', 'timeout 5 git -C . push'],
    ['Bash(git push *)', 'bash -c "git -C . push"'],
    ['Bash(git push *)', 'git -C "$D" push'],
    ['Bash(git push:*)', 'git -C . push'],
    ['Bash(git push:*)', 'git --git-dir x --work-tree=y push --force'],
    ['Bash(git push)', 'git --no-pager push'],
    ['Bash(git push *)', 'git -P -p --bare --paginate push'],
    ['Bash(git push *)', 'git --no-pager --git-dir=x push origin'],
    ['Bash(npm publish:*)', 'npm -s publish'],
    ['Bash(pip install *)', 'pip -q -v --no-cache-dir install x'],
    ['Bash(git push * --force)', 'git -C . push origin --force'],
    ['Bash(git reset --hard *)', 'git reset -q --hard'],
    ['Bash(git reset --hard:*)', 'git -C . reset -q --hard HEAD'],
    ['Bash(npm publish:*)', 'npm --silent publish'],
    ['Bash(npm publish:*)', 'npm -w a publish --access public'],
    ['Bash(docker run *)', 'docker --debug run x'],
    ['Bash(docker compose down:*)', 'docker compose -f a.yml down'],
    ['Bash(kubectl delete *)', 'kubectl -n p delete pod x'],
    ['Bash(kubectl delete pod *)', 'kubectl delete -n p pod x'],
    ['Bash(cargo publish:*)', 'cargo +nightly publish'],
    ['Bash(terraform apply *)', 'terraform -chdir=x apply'],
    ['Bash(gh pr merge *)', 'gh -R o/r pr merge 1'],
    ['Bash(gh pr merge *)', 'gh pr -R o/r merge 1'],
    ['Bash(systemctl stop *)', 'systemctl --user -H h stop x'],
    ['Bash(aws s3 rm:*)', 'aws --profile x s3 rm s3://y'],
    ['Bash(tool wipe *)', 'tool --quick wipe it'],
  ])('%s forbids %s', (deny, line) => {
    const chain = [link({ refusals: [grant(deny)] })]
    expect(bash(line, { rules: { allow: all, deny: [deny] } })).toBe('deny')
    expect(bash(line, { rules: { allow: ['Bash(*)'] }, chain })).toBe('deny')
    expect(bash(line, { ...bypass, rules: { deny: [deny] } })).toBe('deny')
    expect(bash(line, { rules: { allow: all, ask: [deny] } })).toBe('ask')
  })

  test.each([
    ['Bash(tool wipe *)', 'tool --at place wipe it'],
    ['Bash(git push *)', 'git --no-pager $X push'],
    ['Bash(git push *)', 'git --no-pager $X'],
    ['Bash(npm publish:*)', 'npm --odd value publish'],
    ['Bash(npm publish:*)', 'npm --no-audit false publish'],
    ['Bash(npm publish:*)', 'npm --no-audit t* publish'],
    ['Bash(git push *)', 'git --git-dir=$X y push'],
    ['Bash(git apply --reverse *)', 'git apply -p 1 --reverse x'],
    ['Bash(pip install evil *)', 'pip install --no-binary :all: evil'],
    ['Bash(uv sync evil *)', 'uv sync --no-build-package x evil'],
    ['Bash(tool wipe *)', 'tool -P place wipe it'],
    ['Bash(tool wipe *)', 'tool -s place wipe it'],
  ])('with an option nobody knows, %s is for a person to see: %s', (deny, line) => {
    expect(judge('Bash', { command: line }, { ...bypass, rules: { deny: [deny] } })).toMatchObject({
      decision: 'ask',
      isFirm: true,
      rule: deny,
    })
  })

  test.each([
    ['Bash(git push *)', 'git -c push.default=current fetch'],
    ['Bash(git push:*)', 'git -c push.default=current fetch'],
    ['Bash(git push *)', 'git log --grep push'],
    ['Bash(git push *)', 'git -C push status'],
    ['Bash(git push *)', 'git commit -m push'],
    ['Bash(git push)', 'git push --dry-run'],
    ['Bash(git reset --hard *)', 'git reset --soft HEAD'],
    ['Bash(npm publish:*)', 'npm run publish'],
    ['Bash(npm publish:*)', 'npm --silent test'],
    ['Bash(docker run *)', 'docker ps --filter run'],
    ['Bash(kubectl delete *)', 'kubectl -n delete get pods'],
    // Asked while every option counted as one that may take a value.
    ['Bash(git push *)', 'git --no-pager stash push -m x'],
    ['Bash(git push *)', 'git --no-pager log --grep push'],
    ['Bash(git push *)', 'git --namespace=x stash push'],
    ['Bash(git commit *)', 'git -P diff -- commit'],
    ['Bash(git commit *)', 'git -p --bare --literal-pathspecs log commit'],
    ['Bash(npm publish:*)', 'npm -s run publish'],
    ['Bash(npm publish:*)', 'npm --silent run publish'],
    ['Bash(npm publish:*)', 'npm --loglevel=silent run publish'],
    ['Bash(pip install *)', 'pip -q show install'],
    ['Bash(pip3 install *)', 'pip3 --quiet -v show install'],
  ])('%s is not about %s', (deny, line) => {
    expect(bash(line, { rules: { allow: all, deny: [deny] } })).toBe('allow')
  })

  test('an allow rule still takes the command as it is written', () => {
    expect(bash('git -C . push', { rules: { allow: ['Bash(git push *)'] } })).toBe('ask')
    expect(bash('npm --silent test', { rules: { allow: ['Bash(npm test:*)'] } })).toBe('ask')
  })

  test('very many options take no time', () => {
    const line = `git ${'-x y '.repeat(400)}push`
    const from = performance.now()
    expect(bash(line, { rules: { allow: all, deny: ['Bash(git push *)', 'Bash(git * push * x)'] } })).not.toBe('allow')
    expect(performance.now() - from).toBeLessThan(1_000)
  })
})
