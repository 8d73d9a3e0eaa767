import { describe, expect, it } from 'vitest'
import { normaliseRemote } from './remote-address.ts'

describe('the address of a remote', () => {
  it.each([
    ['https://github.com/ana/app', 'github.com/ana/app'],
    ['https://github.com/ana/app.git', 'github.com/ana/app'],
    ['https://github.com/Ana/App.git/', 'github.com/ana/app'],
    ['http://github.com:80/ana/app', 'github.com/ana/app'],
    ['git://github.com/ana/app', 'github.com/ana/app'],
    ['git+ssh://git@github.com/ana/app.git', 'github.com/ana/app'],
    ['ssh://git@github.com:22/ana/app', 'github.com/ana/app'],
    ['ssh://git@ssh.github.com:443/ana/app', 'github.com/ana/app'],
    ['git@github.com:ana/app.git', 'github.com/ana/app'],
    ['github.com:ana/app', 'github.com/ana/app'],
    ['  git@github.com:/ana//app.git \n', 'github.com/ana/app'],
    ['https://ana:pass@git.example.org/team/app', 'git.example.org/team/app'],
    ['https://git.example.org:8443/team/app', 'git.example.org:8443/team/app'],
    ['https://git.example.org/Team/App', 'git.example.org/Team/App'],
    ['https://git.example.org/%E9%A1%B9%E7%9B%AE', 'git.example.org/项目'],
    ['https://git.example.org/100%', 'git.example.org/100%'],
    ['ssh://git@[::1]:2222/app', '[::1]:2222/app'],
    ['git@[::1]:app', '[::1]/app'],
    ['git@host:~ana/app.git', 'host/~ana/app'],
    ['/srv/git/app.git', '/srv/git/app'],
    ['/srv/git/app/.git', '/srv/git/app'],
    ['../central.git', '/base/central'],
    ['./a/../b', '/base/here/b'],
    ['file:///srv/git/app.git', '/srv/git/app'],
  ])('%j is %j', (address, expected) => {
    expect(normaliseRemote(address, '/base/here')).toBe(expected)
  })

  it.each(['', '   ', 'https://', 'https://github.com', 'https://github.com/', 'a\0b', 'file://host/share', 'ssh://'])(
    '%j is none',
    (address) => {
      expect(normaliseRemote(address, '/base/here')).toBeNull()
    },
  )

  it.each([
    ['https://github.com/ana/app', 'https://github.com/ana/app2'],
    ['https://github.com/ana/app', 'https://github.com/bob/app'],
    ['https://github.com/ana/app', 'https://gitlab.com/ana/app'],
    ['https://git.example.org/Ana/app', 'https://git.example.org/ana/app'],
    ['https://git.example.org:8443/app', 'https://git.example.org/app'],
    ['git@a.example.org:app', 'git@b.example.org:app'],
  ])('%s and %s are two', (one, other) => {
    expect(normaliseRemote(one, '/')).not.toBe(normaliseRemote(other, '/'))
  })
})
