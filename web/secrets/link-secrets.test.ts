import { describe, expect, test } from 'vitest'
import { linksIn } from './link-secrets.ts'

const foundIn = (text: string, doubtful = false): readonly string[] => {
  const values = new Set<string>()
  linksIn(text, (one) => {
    if ((one.doubtful ?? false) === doubtful) values.add(text.slice(one.from, one.to))
  })
  return [...values]
}

describe('secrets of a URL that no parameter names', () => {
  test.each([
    ['a channel', 'http://tv.example:8000/movie/anna/Pf1rsich/77.mkv', 'Pf1rsich'],
    ['a calendar', 'https://c.example/ical/a%40b.example/private-896c4f59e0e47792d24c5cb3eba2c0ec/basic.ics', '896c4f59e0e47792d24c5cb3eba2c0ec'], // prettier-ignore
    ['a key in the fragment', 'https://paste.example/?a1b2#hQ7fg1WcOq8ciGmyzPUH-g', 'hQ7fg1WcOq8ciGmyzPUH-g'],
    ['a short parameter beside a user', 'https://h.example/go?l=tom&p=Kirsch%21baum', 'Kirsch%21baum'],
    ['an answer', 'https://bank.example/verify?q=maiden&a=Aunt+Erna', 'Aunt+Erna'],
  ])('are found: %s', (_, text, secret) => expect(foundIn(text)).toEqual([secret]))

  test('a random part of a path is only reported', () => {
    expect(foundIn('https://photos.example/trip/kR9wq-plum-Tz3/all', true)).toEqual(['kR9wq-plum-Tz3'])
  })

  test.each([
    'https://example.com/Products/Blue-Widget-2/Reviews?page=2&sort=new#Review-88',
    'https://example.com/docs/Getting-Started#Install-on-Windows-11',
    'https://example.com/search?q=first+pet&p=2&user=ada',
    'https://github.com/advisories/GHSA-gm62-xv2j-4rw9',
    'https://example.com/live/2026/05/01/match-report.html',
    'https://registry.example/left-pad-1.3.0.tgz#13a2ea7fa134df4424c2faee537f7a7647fdcdfa',
    'https://app.example/#/settings/profile',
  ])('nothing of an ordinary one is: %s', (url) => {
    expect(foundIn(url)).toEqual([])
    expect(foundIn(url, true)).toEqual([])
  })
})
