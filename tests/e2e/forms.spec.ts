/** Forms on the real page: exactly what the server receives, untouched and after edits. */
import type { Locator, Page } from '@playwright/test'
import { matrix, type SchemaCase } from '../schemas/index.ts'
import { argumentsIn, startSchemaPeer, type SchemaPeer } from '../schemas/server.ts'
import { openConnected } from './feature-steps.ts'
import { expect, showTrace, test, violations, writeJson } from './stage.ts'

/** A legal tool name. */
const slug = (name: string): string => name.replace(/[^\w.-]+/g, '-')

let peer: SchemaPeer
test.beforeAll(async () => {
  peer = await startSchemaPeer(
    matrix
      // Two of these schemas are too large for a list that every test loads.
      .filter(({ name }) => !name.startsWith('10^'))
      .map(({ name, schema }) => ({ name: slug(name), schema })),
  )
})
test.afterAll(async () => await peer.close())

test.beforeEach(async ({ page, address }) => {
  await openConnected(page, address, peer.url)
})

const open = async (page: Page, name: string): Promise<SchemaCase> => {
  const found = matrix.find((each) => each.name === name)
  if (!found) throw new Error(`The matrix has no schema ${name}`)
  await page.getByTestId('tool-filter').fill(slug(name))
  await page.locator(`[data-testid=tool-item][data-name="${slug(name)}"]`).click()
  await expect(page.getByTestId('tool-detail')).toContainText(slug(name))
  await expect(page.getByTestId('tool-form')).toBeVisible()
  return found
}

const view = async (page: Page, name: 'Form' | 'JSON') =>
  await page.getByTestId('tool-view').getByText(name, { exact: true }).click()

/** As JSON, then back to the form. */
const enter = async (page: Page, json: string) => {
  await view(page, 'JSON')
  await expect(page.getByTestId('json-editor')).toHaveAttribute('data-state', 'ready')
  await writeJson(page, page.getByTestId('json-editor'), json)
  await view(page, 'Form')
  await expect(page.getByTestId('form')).toBeVisible()
}

/** @returns how many values have been validated since */
const countValidations = async (page: Page): Promise<() => Promise<number>> => {
  const answers = await page.evaluateHandle(() => {
    const seen = { count: 0 }
    const { postMessage } = Worker.prototype
    Worker.prototype.postMessage = function (this: Worker, ...message: Parameters<Worker['postMessage']>) {
      this.addEventListener('message', () => seen.count++, { once: true })
      postMessage.apply(this, message)
    } as Worker['postMessage']
    return seen
  })
  return () => answers.evaluate(({ count }) => count)
}

/** Runs the tool. @returns the exact text of the arguments that the server received */
const send = async (page: Page): Promise<string | undefined> => {
  const before = peer.bodies.length
  const run = page.getByTestId('tool-run')
  const tried = async () => (await run.getAttribute('data-tried')) === 'true'
  // Invalid values are reported at the first attempt and sent at every later one.
  const first = !(await tried())
  await run.click()
  if (first) {
    await expect.poll(async () => peer.bodies.length > before || (await tried())).toBe(true)
    if (await tried()) await run.click()
  }
  await expect.poll(() => peer.bodies.length).toBe(before + 1)
  return argumentsIn(peer.bodies[before]!)
}

const part = (page: Page, pointer: string): Locator => page.locator(`[data-testid=field][data-path="${pointer}"]`)
/** The control of this field, not of the fields inside it. */
const input = (page: Page, pointer: string): Locator => part(page, pointer).getByTestId('field-input').first()
const branch = (page: Page, pointer: string): Locator => part(page, pointer).getByTestId('field-branch').first()

test('untouched, what was opened is what arrives', async ({ page }) => {
  test.slow()
  const names = [
    'numbers in every spelling',
    'choices of any type',
    'keys in the order they came',
    'keys that are no words',
    'a map',
    'a list of groups',
    'a tuple of draft 7',
    'a choice at the root',
    'several types',
    'alternatives of alternatives',
    'a filter of filters',
    'a tree',
    'if, then, else',
    'names that every object has',
  ]
  for (const name of names) {
    await test.step(name, async () => {
      const { keep, keepAlso = [] } = await open(page, name)
      for (const text of [...keep, ...keepAlso]) {
        await enter(page, text)
        expect(await send(page)).toBe(text)
      }
    })
  }
})

test('nothing at all is an empty object: no default, no null, no ""', async ({ page }) => {
  await open(page, 'optional groups are absent')
  expect(await send(page)).toBe('{}')
  await open(page, 'defaults are the server’s')
  expect(await send(page)).toBe('{}')
  await part(page, '/n').getByTestId('field-default').click()
  expect(await send(page)).toBe('{"n":10}')
})

test('a choice at the root: constants come with it, and what was typed in the other one comes back', async ({
  page,
}) => {
  await open(page, 'a choice at the root')
  const choice = page.getByTestId('field-branch')
  await choice.selectOption({ label: 'kind: mail' })
  await input(page, '/to').fill('somebody')
  expect(await send(page)).toBe('{"kind":"mail","to":"somebody"}')
  await choice.selectOption({ label: 'kind: call' })
  await expect(choice.locator('option', { hasText: 'previous input' })).toHaveText(/kind: mail/)
  await input(page, '/number').fill('9007199254740993')
  expect(await send(page)).toBe('{"kind":"call","number":9007199254740993}')
  await choice.selectOption({
    index: await choice.locator('option', { hasText: 'mail' }).evaluate((each) => (each as HTMLOptionElement).index),
  })
  await expect(input(page, '/to')).toHaveValue('somebody')
  // After the JSON view the choice is still known. From then on, another value determines it.
  await enter(page, '{"kind":"call","number":1.0}')
  await expect(choice).toHaveValue('1')
  expect(await send(page)).toBe('{"kind":"call","number":1.0}')
})

test('text or number: the choice holds while what is typed would fit the other one', async ({ page }) => {
  await open(page, 'text or number')
  await branch(page, '/factor').selectOption({ label: 'string' })
  await input(page, '/factor').pressSequentially('12')
  expect(await send(page)).toBe('{"factor":"12"}')
  await branch(page, '/factor').selectOption({ label: 'integer' })
  await input(page, '/factor').pressSequentially('1e1')
  expect(await send(page)).toBe('{"factor":1e1}')
  await branch(page, '/factor').selectOption({ label: 'not sent' })
  expect(await send(page)).toBe('{}')
})

test('null, empty and absent are three things (inspector #1885)', async ({ page }) => {
  await open(page, 'null as an alternative')
  await input(page, '/a').fill('1')
  await part(page, '/b').getByTestId('field-state').selectOption('null')
  expect(await send(page)).toBe('{"a":1,"b":null}')
  await input(page, '/b').pressSequentially('20')
  await input(page, '/b').press('Backspace')
  expect(await send(page)).toBe('{"a":1,"b":2}')
  await input(page, '/b').press('End')
  await input(page, '/b').press('Backspace')
  expect(await send(page)).toBe('{"a":1}')
})

test('a part that is JSON keeps what is typed, letter for letter, also while it is none (inspector #1853)', async ({
  page,
}) => {
  await open(page, 'anything')
  const data = input(page, '/data')
  await data.pressSequentially('["item-1","item-2"]')
  await expect(data).toHaveValue('["item-1","item-2"]')
  await data.press('Backspace')
  await expect(data).toHaveValue('["item-1","item-2"')
  await expect(part(page, '/data')).toHaveAttribute('data-state', 'unfinished')
  await expect(page.getByTestId('tool-run')).toBeDisabled()
  await data.pressSequentially(', 1.0]')
  expect(await send(page)).toBe('{"data":["item-1","item-2",1.0]}')
})

test('a map: keys are added, renamed where they stand, and removed', async ({ page }) => {
  await open(page, 'a map')
  await enter(page, '{"labels":{"b":"1","a":"2"}}')
  await part(page, '/labels/b').getByTestId('field-rename').click()
  await page.getByTestId('field-new-name').fill('a')
  await expect(page.getByTestId('field-rename-do')).toBeDisabled()
  await page.getByTestId('field-new-name').fill('c')
  await page.getByTestId('field-new-name').press('Enter')
  expect(await send(page)).toBe('{"labels":{"c":"1","a":"2"}}')
  await part(page, '/labels').getByTestId('form-key-name').fill('new key')
  await part(page, '/labels').getByTestId('form-key-name').press('Enter')
  await input(page, '/labels/new key').fill('3')
  await part(page, '/labels/a').getByTestId('field-remove').click()
  expect(await send(page)).toBe('{"labels":{"c":"1","new key":"3"}}')
})

test('a list of alternatives: items are copied, moved and removed, each with what was chosen in it', async ({
  page,
}) => {
  await open(page, 'alternatives in a list')
  await enter(page, '{"blocks":[{"kind":"call","number":1.0},{"kind":"mail","to":""}]}')
  await part(page, '/blocks/0').getByTestId('field-duplicate').click()
  await input(page, '/blocks/1/number').fill('2')
  await part(page, '/blocks/0').getByTestId('field-down').click()
  await part(page, '/blocks/2').getByTestId('field-remove').first().click()
  expect(await send(page)).toBe('{"blocks":[{"kind":"call","number":2},{"kind":"call","number":1.0}]}')
})

test('a condition: the field appears with the value that asks for it, and is missed there', async ({ page }) => {
  await open(page, 'if, then, else')
  await expect(part(page, '/state')).toHaveCount(0)
  await input(page, '/country').selectOption({ label: 'US' })
  await expect(part(page, '/county')).toHaveCount(0)
  await page.getByTestId('tool-run').click()
  await expect(part(page, '/state').getByTestId('field-problem')).toContainText('Required')
  await input(page, '/state').fill('TX')
  expect(await send(page)).toBe('{"country":"US","state":"TX"}')
})

test('a wrong value is told at its field, and sent when that is meant', async ({ page }) => {
  await open(page, 'a choice among groups')
  await enter(page, '{"send":{"kind":"call","number":"1"}}')
  await expect(part(page, '/send/number').getByTestId('field-problem')).toBeVisible()
  await page.getByTestId('tool-run').click()
  await expect(page.getByTestId('tool-run')).toHaveAttribute('data-state', 'misfit')
  // The bar below the form leads to the field.
  await page.getByTestId('tool-fault').filter({ hasText: '/send/number' }).click()
  await expect(part(page, '/send/number').locator(':focus')).toHaveCount(1)
  expect(await send(page)).toBe('{"send":{"kind":"call","number":"1"}}')
})

test('a button that is pressed keeps its place until it is released, so the call is sent', async ({ page }) => {
  await open(page, 'limits of numbers')
  await input(page, '/page').fill('0')
  await page.getByTestId('tool-run').click()
  const note = page.getByTestId('tool-invalid')
  await expect(note).toBeVisible()
  const validated = await countValidations(page)
  const before = peer.bodies.length
  await page.getByTestId('tool-run').hover()
  await page.mouse.down()
  // Not with fill, which would end the press.
  await input(page, '/page').evaluate((each: HTMLInputElement) => {
    each.value = '1'
    each.dispatchEvent(new InputEvent('input', { bubbles: true }))
  })
  await expect.poll(validated).toBeGreaterThan(0)
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  await expect(note).toBeVisible()
  await page.mouse.up()
  await expect.poll(() => peer.bodies.length).toBe(before + 1)
  await expect(note).toBeHidden()
})

test('pressing Run twice shows the problems first and sends nothing', async ({ page }) => {
  await open(page, 'limits of numbers')
  await input(page, '/page').fill('0')
  const before = peer.bodies.length
  // Both presses come before the verdict of the first.
  await page.getByTestId('tool-run').evaluate((run: HTMLButtonElement) => [run.click(), run.click()])
  await expect(page.getByTestId('tool-invalid')).toBeVisible()
  expect(await send(page)).toBe('{"page":0}')
  expect(peer.bodies.length).toBe(before + 1)
})

test('a file becomes base64, and what is no date is only warned of', async ({ page }) => {
  await open(page, 'files')
  await part(page, '/image')
    .getByTestId('field-file')
    .setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47]) })
  await expect(input(page, '/image')).toHaveValue('iVBORw==')
  expect(await send(page)).toBe('{"image":"iVBORw=="}')
  await open(page, 'dates and times')
  await input(page, '/on').fill('tomorrow')
  await expect(part(page, '/on').getByTestId('field-problem')).toContainText('date')
  await expect(page.getByTestId('tool-run')).toHaveAttribute('data-state', 'fits')
  expect(await send(page)).toBe('{"on":"tomorrow"}')
})

test('another document is never fetched: that part alone is JSON, with the reason (JS-05)', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => void asked.push(request.url()))
  await open(page, 'another document')
  await expect(part(page, '/far')).toHaveAttribute('data-kind', 'json')
  await expect(part(page, '/far')).toContainText("doesn't fetch it")
  await input(page, '/near').fill('x')
  expect(await send(page)).toBe('{"near":"x"}')
  expect(asked.filter((url) => url.includes('schemas.example'))).toEqual([])
})

test('a recursive filter is filled in with the keys alone', async ({ page }) => {
  await open(page, 'a filter of filters')
  const choice = branch(page, '/filter')
  await choice.focus()
  await page.keyboard.press('ArrowDown')
  await expect(part(page, '/filter/field')).toBeVisible()
  // The field is rendered again, and the select keeps the focus.
  await expect(choice).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(part(page, '/filter/and')).toBeVisible()
  await expect(choice).toBeFocused()
  const add = part(page, '/filter/and').getByTestId('field-add').first()
  await add.press('Enter')
  const inner = branch(page, '/filter/and/0')
  await inner.focus()
  await page.keyboard.press('ArrowDown')
  await expect(input(page, '/filter/and/0/field')).toBeVisible()
  await expect(inner).toBeFocused()
  await page.keyboard.press('Tab')
  await input(page, '/filter/and/0/field').focus()
  await expect(input(page, '/filter/and/0/field')).toBeFocused()
  await page.keyboard.type('name')
  const before = peer.bodies.length
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => peer.bodies.length).toBe(before + 1)
  expect(argumentsIn(peer.bodies[before]!)).toBe('{"filter":{"and":[{"field":"name"}]}}')
})

test('the forms have no fault that a machine can find', async ({ page }) => {
  const shown: readonly (readonly [string, string])[] = [
    ['alternatives in a list', '{"blocks":[{"kind":"call","number":"x"},{"kind":"mail","to":""}]}'],
    ['a map', '{"labels":{"b":"1","a":""}}'],
    ['any of a few', '{"days":["mon"]}'],
    ['dates and times', '{"on":"tomorrow"}'],
    ['forty fields', '{}'],
  ]
  await showTrace(page, false)
  for (const [name, json] of shown) {
    await open(page, name)
    await enter(page, json)
    expect([name, await violations(page)]).toEqual([name, []])
  }
})
