import { describe, expect, test } from 'vitest'
import { Frames } from '../../tests/sessions/frames.ts'
import type { Json } from '../mcp/index.ts'
import { headOf } from '../session-file/write.ts'
import { redact } from './redact.ts'

const HEAD = headOf({ begunAt: '2026-01-01T00:00:00.000Z', tool: { name: 'mcp-periscope', version: '0' }, servers: [] })

/** What tools say of medicine, logistics, music, games, law, chemistry, stars, sports, programs, travel. */
const SAID: readonly string[] = [
  'Patient 4471-B was given 5 mg Amlodipine-Besylate; Hb 13.2 g/dL, HbA1c 6.1 %, BP 128/84.',
  'Ward round: IL-6 and TNF-alpha raised, CRP 44. Start Co-Amoxiclav 625 mg, review in 48h.',
  'ICD-10: E11.9, J45.909. Vitamin-B12 low. Refer to Ear-Nose-Throat.',
  'Shipment MSKU-7741203 left Rotterdam/Maasvlakte-2 on 2026-03-04, ETA Shanghai-Yangshan 2026-04-11.',
  'Incoterms: FOB Hamburg, CIF Genova. HS code 8471.30. Gross 1204kg.',
  'Key: F#-minor, 122 BPM, chord progression Cmaj7-Am7-Dm9-G13, capo 2.',
  'Setlist: Blackbird, Norwegian-Wood, Sgt-Pepper (Reprise), Come-Together-2019-Mix',
  "Track 7 'Blue-in-Green' 5:37, mixed by Rudy van Gelder; MIDI note C#4 velocity 96.",
  "Quest: open the gate of Baldur's-Gate3 with the Moon-Lantern, then talk to Halsin in the Emerald-Grove.",
  '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 - the Ruy-Lopez, Closed.',
  'To unlock the door in level 3, press E near the lever; enter the tower and use the Grapple-Hook.',
  'Section 12(3)(b) of the Act; see Smith v. Jones-Brown [2019] EWCA Civ 1123, at [44]-[47].',
  'The lessee shall have access to the premises via the east door; Clause 7.2 applies, Schedule-A annexed.',
  'Art. 6 Abs. 1 lit. f DSGVO; BGH, Urt. v. 12.03.2020 - VII ZR 236/19.',
  '2-(4-Isobutylphenyl)propanoic acid, C13H18O2, CAS 15687-27-1, m.p. 75-78 °C, use with care.',
  'Add 5 mL of 0.1 M NaOH then 3-Methyl-1-butanol; log P 2.1; enter the value in Table-3.',
  'SMILES: CC(=O)Oc1ccccc1C(=O)O; InChIKey BSYNRYMUTXBXSQ-UHFFFAOYSA-N',
  'NGC-7293 (Helix-Nebula) RA 22h29m38s Dec -20d50m13s, mag 7.6, seen with 8x42 and O-III filter.',
  'TRAPPIST-1e, Kepler-452b and Proxima-b are candidates; exposure 30x120s, gain 139.',
  "Final: Bayern-Dortmund 3-2 (1-1), 81,365 spectators; red card 77'. Kane 12', Musiala 45+2'.",
  'Split times: 4x100m 37.84, 10k 26:58.1; wind +0.4 m/s; Q by heat, bib 1142.',
  'Formation 4-2-3-1 then 4-4-2; xG 1.7-0.9, pass accuracy 88%.',
  'LGTM! nit: rename fooBar to foo_bar in src/utils/Parse-Args.ts:44, and use Array#flatMap instead.',
  'Review: this breaks when the user logs in with SSO; please use React-Query v5 and drop lodash.debounce.',
  '> @dev1 can you rebase onto release-2.4? CI job #88123 failed in test_login_flow[chromium-Linux]',
  'Boil the Al-Dente pasta 9 min, add Parmigiano-Reggiano, salt&pepper, serve with Pinot-Grigio.',
  'Flug LH-2045 von Köln/Bonn nach Berlin-Brandenburg, Gate B17, Sitz 14C, Boarding 17:35.',
  'Take the S-Bahn to Berlin-Ostkreuz, exit towards the gate, door code not needed, use entrance 3.',
  'Hotel: check-in from 15:00, Wi-Fi free in all rooms, safe in the room, parking 12 EUR/night.',
  'Weather: 12/18 °C, wind NNE 4-5 Bft, 1013 hPa, UV 3; Deutscher-Wetterdienst.',
  'Real estate: 3-Zimmer-Wohnung, 78 m², 2. OG, Balkon, Nähe U-Bahn Schlump, Tür mit Gegensprechanlage.',
  'Sign in with GitHub, then open Settings/Developer and choose Fine-Grained tokens.',
  'Unlock with Face-ID or Touch-ID on iPhone-15 and MacBook-Pro.',
  'Enter your API key in the Settings-Page and type Ctrl+S. Then select GPT-4o or Claude-3-5-Sonnet.',
  'npm WARN deprecated inflight@1.0.6: this module is not supported\nadded 214 packages in 9s',
  'kubectl get pods -n auth\nlogin-api-6d8f7c9b5-x2x9z 1/1 Running 0 3d',
  'GET /login HTTP/1.1 200 5123 "https://shop.example/" "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X)"',
  '2026-05-01T10:00:00Z INFO auth: user u_1842 logged in from 203.0.113.7 session started device=Pixel-8a',
  'Rembrandt, Self-Portrait-with-Two-Circles, c. 1665-69, Kenwood-House, London. Acc. no. 57.',
  'El usuario puede acceder al portal desde las 08:00; la puerta B2 está junto a la Sala-Norte.',
  'Die Tür zum Saal öffnet um 19:30 Uhr; Einlass mit Ticket-App, Garderobe im Foyer-West.',
  "Referee: Kovacs. Lineup 4-2-3-1, subs 60' and 75'; gate receipts 1,204,550 EUR.",
  'The vault of Saint-Denis, built 1140-44; the west door opens onto Rue-de-la-Légion.',
  'Asteroid 2024-YR4, orbit class Apollo, H 23.9; see MPEC 2025-C17.',
  'Reaction: Suzuki coupling, Pd(PPh3)4 5 mol%, K2CO3, dioxane/H2O 4:1, 80 °C, 12 h.',
  'Case C-311/18 Schrems-II; Regulation (EU) 2016/679; ECLI:EU:C:2020:559.',
  'MRI: T2-weighted, TR/TE 4000/90, Pfirrmann grade IV at L4-L5; plan: physio, re-check in 6w.',
  'Bill of lading HLCU-1234567, 2x40HC, demurrage after 7 days, dock door 14, Antwerp/Deurganck.',
  'Achievement unlocked: Master-Chef. You can now enter the Frozen-North and talk to Old-Tom.',
  'Piano: left hand I-vi-IV-V, then key change to Bb; tempo 96-104; pedal as in Op. 27-2.',
  'Please squash and use Conventional-Commits; see CONTRIBUTING.md#sign-off and ADR-0012.',
  'Die Anmeldung zum Marathon endet am 12.3.; Startnummer 4471, Block C, Start am Tor 2.',
  'Pour entrer au stade : porte B, rang 12, siège 45; ouverture 18h30.',
]

describe('everyday words of tools', () => {
  test.each(SAID)('nothing is removed or suspected: %s', async (text) => {
    const frames = new Frames()
    frames.call(1, { name: 'read', arguments: {} }, frames.say(text))
    const { changes, suspects } = await redact(HEAD, frames.all)
    expect(changes).toEqual([])
    expect(suspects.map(({ value }) => value)).toEqual([])
  })
})

/** Messages of servers, databases and interfaces: they speak of connections, ports, screens and passwords. */
const TECHNICAL: readonly string[] = [
  'Connection 48213 opened by client',
  'SSE connection opened: 48213',
  'WebSocket connection closed with code 1006 before it was opened',
  'MySQL connection id is 48213. Type help',
  'Port is open: 5432',
  'Server listening at 8080. Press CTRL-C to stop the session.',
  'Long pressed on screen at coordinates: 1080, 2340',
  'Your prompt is too long. Input: 205345, maximum: 200000',
  'Input tokens: 12345 (prompt cache 9000)',
  'DB keys: 15321. Connected clients: 4',
  'fix #48213: unlock the screen on login',
  'Set viewport: 1280 x 720, screen opened',
  'Returns an object with the keys displayName and emailAddress for the user. Requires login.',
  'Enter taskName when prompted',
  'takes input userQuery, chatHistory from the user session',
  'The user is asked to enter firstName and lastName before login',
  'Đơn hàng 48213 của một khách hàng đã giao',
  'Có 1532 tệp trong thư mục của bạn, đã mở',
  '订单 48213 已开具发票，部门：财务',
  '部門コード 4821 の公開',
  'Forgot password?\nsign up now',
  'Passwords must match the following:\nminimum eight characters long',
  '## How to decrypt files:\ninstall gnupg first',
  'Password parser:\nhandles quoted strings correctly',
  'I forgot my password\n> hello there dear friend',
  'Issuer: https://kc.example.com/auth/realms/Acme2024/protocol/openid-connect',
]

/** What has a member `code`. */
const CODES: readonly Json[] = [
  { error: { code: 1213, message: 'Deadlock found when trying to get lock' } },
  { code: 423, message: 'Locked' },
  { code: 404, message: 'Outdoor map not found' },
  { code: 500, message: 'Unsafe redirect blocked' },
  { name: 'Garage Seattle', code: '98101' },
]

describe('what servers say of their own work', () => {
  test.each(TECHNICAL)('nothing is removed: %s', async (text) => {
    const frames = new Frames()
    frames.call(1, { name: 'read', arguments: {} }, frames.say(text))
    expect((await redact(HEAD, frames.all)).changes).toEqual([])
  })

  test.each(CODES)('nothing is removed: %j', async (value) => {
    const frames = new Frames()
    frames.call(1, { name: 'read', arguments: {} }, { content: [], structuredContent: value })
    expect((await redact(HEAD, frames.all)).changes).toEqual([])
  })
})
