/**
 * The forms of tokens that say what they are: a vendor's prefix, then characters of a known alphabet and number. Facts
 * about formats, as vendors and the open rule set of gitleaks (https://github.com/gitleaks/gitleaks, MIT License,
 * Copyright (c) 2019 Zachary Rice) publish them; checked against its version 8.30.
 *
 * Lengths are lower limits where a vendor has changed them before: a longer token is still the same vendor's.
 */

/** `form` is the source of a regular expression; each match contains one of the `hints`, unless there are none. */
export interface TokenFormat {
  readonly vendor: string
  readonly hints: readonly string[]
  readonly form: string
}

/** Letters and digits. */
const A = '[A-Za-z0-9]'
/** Hexadecimal digits, of either case. */
const H = '[A-Fa-f0-9]'
/** The alphabet of base64url. */
const B = '[\\w-]'
const UUID = `${H}{8}-${H}{4}-${H}{4}-${H}{4}-${H}{12}`

const format = (vendor: string, hints: string, ...forms: readonly string[]): TokenFormat => ({
  vendor,
  hints: hints.split(' '),
  form: forms.length === 1 ? forms[0]! : `(?:${forms.join('|')})`,
})

/** A long prefix may also follow a letter, as in `ntoken` where a line break was written as `\\n`. */
const prefixed = (vendor: string, prefix: string, rest: string): TokenFormat => ({
  vendor,
  hints: [prefix],
  form: `${prefix.length < 5 ? '(?<![A-Za-z0-9])' : ''}${prefix}${rest}`,
})

/** A form without a literal to look for first. */
const bare = (vendor: string, form: string): TokenFormat => ({ vendor, hints: [], form })

export const TOKEN_FORMATS: readonly TokenFormat[] = [
  // A private key of Bitcoin in its import format.
  bare(
    'bitcoin',
    '(?<![A-Za-z0-9])(?:5[HJK][1-9A-HJ-NP-Za-km-z]{49}|(?:K[wxyz]|L[1-5]|c[M-V])[1-9A-HJ-NP-Za-km-z]{50})(?![A-Za-z0-9])',
  ),
  // A private key of Stellar: its version and payload begin with these letters.
  bare('stellar', '(?<![A-Za-z0-9])S[A-D][A-Z2-7]{54}(?![A-Za-z0-9])'),
  // Clouds and hosting
  format('aws', 'AKIA ASIA ABIA ACCA A3T', `\\b(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\\b`),
  format('aws-bedrock', 'ABSK bedrock-api-key-', `\\bABSK[A-Za-z0-9+/]{60,}={0,2}`, `bedrock-api-key-[\\w+/=-]{20,}`),
  format('alibaba', 'LTAI', `\\bLTAI${A}{12,30}\\b`),
  format('tencent', 'AKID', `\\bAKID${A}{32}\\b`),
  format('azure-ad', 'Q~', `(?<![\\w~.-])[\\w~.]{3}\\dQ~[\\w~.-]{31,40}`),
  // 84 characters are an unusual length, so the mark inside may be missing.
  bare(
    'azure-devops',
    '\\b[A-Za-z\\d]{84}\\b(?![+/=-])(?<=(?<![+/=-])\\b(?=[A-Z\\d]*[a-z])(?=[A-Za-z]*\\d)(?=[a-z\\d]*[A-Z])[A-Za-z\\d]{84})',
  ),
  format('azure-devops', 'AZDO', `\\b${A}{52}JQQJ99${A}{12,}AZDO${A}{4}\\b`),
  format(
    'azure-key',
    'AzCa ASt AzFu ACDb APIM AzSe',
    `\\b${A}{20,80}(?:AzCa|\\+?ASt|AzFu|ACDb|APIM|AzSe)[\\w+/]{5,12}={0,2}`,
  ),
  format(
    'google',
    'AIza ya29. GOCSPX- 1// AQ.Ab',
    `AIza${B}{35}`,
    `ya29\\.${B}{20,}`,
    `GOCSPX-${B}{20,}`,
    `\\b1//0${B}{30,}`,
    `\\bAQ\\.Ab${B}{40,}`,
  ),
  format('firebase', ':APA91b', `\\bAAAA${B}{7}:APA91b${B}{100,}`, `${B}{11,22}:APA91b${B}{100,}`),
  prefixed('digitalocean', 'doo_v1_', `${H}{64}`),
  prefixed('digitalocean', 'dop_v1_', `${H}{64}`),
  prefixed('deno', 'ddp_', `${A}{36}`),
  prefixed('rootly', 'rootly_', `${H}{64}`),
  format('defined-networking', 'dnkey-', `\\bdnkey-[A-Z0-9=_-]{20,}`),
  format('inngest', 'signkey-', `\\bsignkey-\\w{2,12}-${H}{32,}`),
  format('trigger-dev', 'tr_', `(?<![A-Za-z0-9])tr_(?:dev|prod|stg|preview|pat)_${A}{20,}`),
  format('polar', 'polar_', `\\bpolar_(?:oat|pat|whs|cs|ci|at|rt)_${A}{24,}`),
  format('new-relic', 'NRAL', `\\b(?:eu01xx)?${H}{30,36}NRAL\\b`),
  prefixed('digitalocean', 'dor_v1_', `${H}{64}`),
  format('cloudflare', 'v1.0- cfut_ cfat_ cfk_', `\\bv1\\.0-${H}{24}-${H}{146}`, `\\bcf(?:ut|at|k)_${A}{30,}`),
  format('heroku', 'HRKU-', `HRKU-(?:AA${B}{58}|${UUID})`),
  format('flyio', 'fo1_ fm1 fm2_', `\\bfo1_${B}{43}`, `\\bfm(?:1[ar]|2)_[A-Za-z0-9+/]{60,}={0,3}`),
  format('vercel', 'vcp_ vci_ vca_ vcr_ vck_', `\\bvc[piark]_${A}{24,}`),
  prefixed('netlify', 'nfp_', `${A}{36,}`),
  prefixed('render', 'rnd_', `${A}{28,}`),
  format('scaleway', 'SCW', `\\bSCW[A-Z0-9]{17}\\b`),
  prefixed('scalingo', 'tk-us-', `${B}{48}`),
  format(
    'yandex',
    'AQVN YC y0_ t1.',
    `\\bAQVN${B}{35,38}`,
    `\\bYCA${B}{36,38}`,
    `\\by0_${B}{50,}`,
    `\\bt1\\.[A-Z0-9a-z_-]+=*\\.${B}{60,}`,
  ),
  format('planetscale', 'pscale_', `pscale_(?:tkn|oauth|pw)_[\\w=.-]{32,64}`),
  format('supabase', 'sbp_ sb_secret_', `\\bsbp_(?:v0_)?[a-z0-9]{40}`, `\\bsb_secret_${B}{22,}`),
  prefixed('neon', 'napi_', `[a-z0-9]{40,}`),
  prefixed('databricks', 'dapi', `${H}{32}(?:-\\d)?`),
  prefixed('clickhouse', '4b1d', `${A}{38}\\b`),
  format('confluent', 'cflt', `\\bcflt${A}{40,}`),
  format('aiven', 'aivenv1 AVNS_', `\\baivenv1${A}{40,}`, `\\bAVNS_${B}{17,}`),
  format('upstash', 'UPSTASH_', `\\bUPSTASH_${A}{30,}`),

  // Code, packages, builds
  prefixed('adafruit', 'aio_', `${A}{28}(?!\\w)`),
  format(
    'github',
    'ghp_ gho_ ghu_ ghs_ ghr_ github_pat_',
    `gh[pousr]_[A-Za-z0-9_.-]{30,600}`,
    `github_pat_\\w{22,255}`,
  ),
  format(
    'gitlab',
    'glpat- gldt- glrt- glcbt- glptt- glft- glagent- glsoat- gloas- glffct- glimt- glwt- GR1348941 _gitlab_session=',
    `gl(?:pat|dt|rt|cbt|ptt|ft|agent|soat|oas|ffct|imt|wt)-[\\w.-]{20,300}`,
    `GR1348941${B}{20}`,
    `(?<=_gitlab_session=)[0-9a-z]{32}`,
  ),
  format('bitbucket', 'ATBB BBDC-', `ATBB${A}{32}`, `BBDC-[A-Za-z0-9+/@-]{44}`),
  format('atlassian', 'ATATT3 ATCTT3 ATSTT3', `AT[ACS]TT3x?${B}{20,}(?:=${H}{8})?`),
  prefixed('npm', 'npm_', `${A}{36,}`),
  prefixed('pypi', 'pypi-', `${B}{50,}`),
  prefixed('rubygems', 'rubygems_', `[a-z0-9]{48,}`),
  format('crates', 'cio', `\\bcio${A}{32}\\b`),
  prefixed('clojars', 'CLOJARS_', `[A-Za-z0-9]{60}`),
  prefixed('nuget', 'oy2', `[a-z0-9]{43}\\b`),
  format('docker', 'dckr_pat_ dckr_oat_', `dckr_[po]at_${B}{20,}`),
  format('artifactory', 'AKCp cmVmd', `\\bAKCp${A}{60,}`, `\\bcmVmd${A}{59}`),
  format('circleci', 'CCIPAT_ CCIPRJ_', `CCIP(?:AT|RJ)_${A}{15,}_${H}{40}`),
  format('buildkite', 'bkua_ bkct_ bkaj_ bkagent', `\\bbk(?:ua|ct|aj)_[A-Za-z0-9]{20,}`, `\\bbkagent${A}{20,}`),
  format('sonar', 'squ_ sqp_ sqa_ sqco_', `\\bsq(?:u|p|a|co)_${A}{40,}`),
  format('snyk', 'snyk_', `\\bsnyk_(?:uat|sat|pat)\\.${B}{6,}[\\w.-]{20,}`),
  format('sourcegraph', 'sgp_ slk_ sgd_', `\\bsgp_(?:${H}{16}_|local_)?${H}{40}`, `\\bslk_${H}{64}`, `\\bsgd_${H}{64}`),
  format('terraform', '.atlasv1.', `${A}{14}\\.atlasv1\\.[\\w=-]{60,}`),
  format('spacelift', 'spacelift_', `\\bspacelift_${A}{30,}`),
  prefixed('pulumi', 'pul-', `[a-z0-9]{40}`),
  format('vault', 'hvs. hvb. hvr.', `\\bhv[sbr]\\.${B}{24,300}`),
  bare('vault', `(?<![\\w.-])s\\.(?=${A}*\\d)(?=${A}*[A-Z])${A}{24}(?![\\w.-])`),
  format('doppler', 'dp.', `\\bdp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?${A}{40,44}`),
  format('infisical', 'st.', `\\bst\\.${H}{20,}\\.${H}{20,}\\.${H}{20,}`),
  format(
    '1password',
    'ops_ey A3-',
    `ops_eyJ[A-Za-z0-9+/_-]{100,}={0,3}`,
    `\\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}\\b`,
  ),
  format('infracost', 'ico-', `\\bico-${A}{32}`),
  format('harness', 'pat. sat.', `\\b[ps]at\\.${B}{22}\\.${A}{24}\\.${A}{20}`),
  format('octopus', 'API-', `\\bAPI-[A-Z0-9]{25,32}\\b`),
  prefixed('prefect', 'pnu_', `${A}{36}`),
  format('dbt', 'dbtc_ dbtu_', `\\bdbt[cu]_${A}{30,}`),
  format('openshift', 'sha256~', `\\bsha256~${B}{43}`),
  format('tailscale', 'tskey-', `tskey-[a-z]{3,12}-${A}{8,}(?:-${A}{12,})?`),
  prefixed('launchdarkly', 'api-', `${UUID}`),
  prefixed('launchdarkly', 'sdk-', `${UUID}`),
  prefixed('launchdarkly', 'mob-', `${UUID}`),
  format('posthog', 'phx_ phs_', `\\bph[xs]_${B}{40,}`),

  // Models and agents
  prefixed('anthropic', 'sk-ant-', `${B}{20,255}`),
  format(
    'openai',
    'sk-',
    `\\bsk-(?!ant-)(?:proj-|svcacct-|admin-|service-|None-|or-v1-|lf-)${B}{20,255}`,
    `\\bsk-(?=${B}*\\d)(?=${B}*[A-Za-z])(?!learn|[a-z]+-[a-z]+-)${B}{20,255}`,
  ),
  format('openrouter', 'sk-or-', `\\bsk-or-${B}{20,}`),
  format('langfuse', 'sk-lf-', `\\bsk-lf-${UUID}`),
  format('huggingface', 'hf_ api_org_', `\\bhf_${A}{30,}`, `\\bapi_org_${A}{34}`),
  prefixed('groq', 'gsk_', `${A}{40,}`),
  prefixed('perplexity', 'pplx-', `${A}{40,}`),
  prefixed('replicate', 'r8_', `${A}{37,}`),
  prefixed('xai', 'xai-', `${A}{60,}`),
  prefixed('together', 'tgp_v1_', `${B}{30,}`),
  prefixed('fireworks', 'fw_', `${A}{22,}`),
  prefixed('nvidia', 'nvapi-', `${B}{40,}`),
  prefixed('cerebras', 'csk-', `${A}{40,}`),
  prefixed('tavily', 'tvly-', `(?:dev-|prod-)?${A}{20,}`),
  prefixed('firecrawl', 'fc-', `${H}{32}\\b`),
  prefixed('brave', 'BSA', `(?=${B}*\\d)${B}{24,28}(?!${B})`),
  prefixed('pinecone', 'pcsk_', `\\w{50,}`),
  prefixed('jina', 'jina_', `${B}{40,}`),
  prefixed('voyage', 'pa-', `(?=${B}*\\d)(?=${B}*[A-Z])${B}{40,}`),
  format('langsmith', 'lsv2_', `\\blsv2_(?:pt|sk)_${H}{32}_${H}{10}`),
  format('weights-and-biases', 'wandb_v1_', `wandb_v1_${B}{30,}`),
  format('elevenlabs', 'sk_', `\\bsk_${H}{48}\\b`),
  format('e2b', 'e2b_', `\\be2b_${H}{40}`),
  format('browserbase', 'bb_live_ bb_test_', `\\bbb_(?:live|test)_${B}{20,}`),
  format('apify', 'apify_api_ apify_proxy_', `\\bapify_(?:api|proxy)_${A}{30,}`),
  format('composio', 'comp_', `\\bcomp_${A}{30,}`),
  prefixed('deepgram', 'dg_', `${A}{36,}`),
  prefixed('assemblyai', 'aai_', `${A}{30,}`),
  format('cursor', 'key_ crsr_', `\\bkey_${H}{60,}`, `\\bcrsr_${H}{60,}`),

  // Work and messages
  prefixed('matrix', 'syt_', `[\\w+/=-]{2,400}_${A}{20}_${A}{6}(?![A-Za-z0-9])`),
  format(
    'slack',
    'xox xapp- xwfp- hooks.slack.com',
    `xox[abceoprs](?:\\.xox[bp])?-[\\w-]{10,255}`,
    `xapp-${B}{20,255}`,
    `xwfp-${B}{20,255}`,
    `(?<=hooks\\.slack\\.com/(?:services|workflows|triggers)/)[\\w/+]{20,255}`,
  ),
  bare('discord', `\\b[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,40}(?![\\w-])`),
  format('discord', 'discord', `(?<=discord(?:app)?\\.com/api/(?:v\\d+/)?webhooks/\\d{17,20}/)${B}{40,}`),
  format('telegram', ':AA', `(?<!\\d)\\d{8,10}:AA${B}{32,34}(?!${B})`),
  format('teams', 'webhook.office.com', `(?<=webhook\\.office\\.com/webhookb2/)[\\w@/-]{60,}`),
  format('zapier', 'hooks.zapier.com', `(?<=hooks\\.zapier\\.com/hooks/catch/)\\d+/${A}{6,}`),
  format('notion', 'ntn_ secret_', `\\bntn_${A}{40,}`, `\\bsecret_${A}{43}\\b`),
  format('linear', 'lin_api_ lin_oauth_ lin_wh_', `\\blin_(?:api|oauth|wh)_${A}{32,}`),
  bare('airtable', `\\bpat${A}{14}\\.${H}{64}`),
  bare('asana', `(?<![\\w./-])[12]/\\d{13,19}(?:/\\d{13,19})?:${H}{32}\\b`),
  format('figma', 'figd_ figo_ figu_ figoh_ figor_ figur_', `\\bfig(?:d|o|u|oh|or|ur)_${B}{40,}`),
  format('hubspot', 'pat-na pat-eu pat-ap', `\\bpat-(?:na|eu|ap)\\d?-${UUID}`),
  format('contentful', 'CFPAT-', `CFPAT-${B}{43}`),
  format('typeform', 'tfp_', `\\btfp_[\\w.=-]{40,}`),
  prefixed('readme', 'rdme_', `[a-z0-9]{60,}`),
  format('postman', 'PMAK- PMAT-', `PMA[KT]-${A}{24,}(?:-${H}{34})?`),
  format('calcom', 'cal_live_ cal_', `\\bcal_(?:live|test)_${H}{32}`),
  format('intercom', 'dG9r', `\\bdG9rO[A-Za-z0-9+/]{40,}={0,2}`),
  format('dropbox', 'sl.', `\\bsl\\.(?:u\\.)?${B}{60,}`),
  format('sendgrid', 'SG.', `\\bSG\\.${B}{16,}\\.${B}{16,}`),
  format('mailgun', 'key-', `\\bkey-${H}{32}\\b`),
  bare('mailgun', `\\b${H}{32}-${H}{8}-${H}{8}\\b`),
  format('mailchimp', '-us', `\\b${H}{32}-us\\d{1,2}\\b`),
  format('brevo', 'xkeysib- xsmtpsib-', `x(?:key|smtp)sib-${B}{60,}`),
  format('resend', 're_', `\\bre_${A}{8}_${A}{20,28}\\b`, `\\bre_(?=${A}*\\d)${A}{30,40}\\b`),
  format('twilio', 'SK', `\\bSK[a-f0-9]{32}\\b`),
  format('lark', 't-g u-g', `\\b[tu]-g\\d${A}{30,}`),
  format('frameio', 'fio-u-', `fio-u-[\\w=-]{64}`),
  format('mapbox', 'sk.ey', `\\bsk\\.eyJ${B}{20,}\\.${B}{20,}`),
  format('woocommerce', 'cs_', `\\bcs_[a-f0-9]{40}\\b`),
  // Nodes of blockchains: the last part of a path is the key.
  format('alchemy', '.alchemy.com/', `(?<=\\.alchemy\\.com/(?:nft/)?v\\d/)${B}{24,}`),
  format('infura', '.infura.io/', `(?<=\\.infura\\.io/(?:ws/)?v\\d/)${H}{32}`),
  format('bootstrap-token', 'oken', `(?<=\\btoken["']?\\s{0,4}[:=]\\s{0,4}["']?)[a-z0-9]{6}\\.[a-z0-9]{16}\\b`),

  // Payments and shops
  format(
    'stripe',
    'k_live_ k_test_ k_prod_ whsec_ _secret_',
    `[srk]{2}_(?:live|test|prod)_[A-Za-z0-9+/]{10,255}`,
    `whsec_[A-Za-z0-9+/]{16,}={0,2}`,
    `\\b(?:pi|seti|cs|src)_${A}{14,}_secret_${A}{10,}`,
  ),
  format('square', 'EAAA sq0atp- sq0csp- sq0idb-', `\\bEAAA${B}{40,}`, `sq0(?:atp|csp)-${B}{22,60}`),
  format('shopify', 'shpat_ shpca_ shppa_ shpss_ shptka_ shpua_', `shp(?:at|ca|pa|ss|tka|ua)_${A}{32,}`),
  format('braintree', 'access_token$', `access_token\\$(?:production|sandbox)\\$[a-z0-9]{16}\\$${H}{32}`),
  format('plaid', 'access-', `\\baccess-(?:sandbox|development|production)-${UUID}`),
  format('razorpay', 'rzp_', `\\brzp_(?:live|test)_${A}{14,}`),
  format('paddle', 'pdl_', `\\bpdl_(?:live|sdbx)_apikey_${A}{20,}_${A}{20,}_?${A}*`),
  format('mollie', 'live_ test_', `(?<![A-Za-z0-9_])(?:live|test)_${A}{28,40}\\b`),
  format('flutterwave', 'FLWSECK', `FLWSECK(?:_TEST)?-${A}{12,}(?:-X)?`),
  format('secret-key', 'sk_', `\\bsk_(?!live_|test_|prod_)(?=\\w*\\d)\\w{24,}`),
  format('easypost', 'EZAK EZTK', `\\bEZ[AT]K${A}{54}`),
  format('shippo', 'shippo_', `\\bshippo_(?:live|test)_${H}{40}`),
  format('duffel', 'duffel_', `\\bduffel_(?:test|live)_[\\w=-]{43}`),
  format('lob', 'live_ test_', `\\b(?:live|test)_${H}{35}\\b`),
  format('gocardless', 'live_ sandbox_', `\\b(?:live|sandbox)_${B}{40}\\b`),
  format('adyen', 'AQE', `\\bAQE[a-z][\\w+/=.^-]{60,}`),
  format('coinbase', 'organizations/', `(?<=organizations/${UUID}/apiKeys/)${UUID}`),
  format('facebook', 'EAA', `\\bEAA${A}{80,}`),
  format('twitter', 'AAAAAAAA', `\\bAAAAAAAAAAAAAAAAAAAAA[\\w%]{50,}`),
  format('linkedin', 'WPL_AP', `\\bWPL_AP\\d\\.${A}{10,}\\.${A}{4,}={0,2}`),

  // Watching
  format(
    'grafana',
    'glc_ glsa_ eyJrIjoi',
    `\\bglc_[A-Za-z0-9+/]{32,400}={0,3}`,
    `\\bglsa_${A}{32}_${H}{8}`,
    `\\beyJrIjoi[A-Za-z0-9]{50,400}={0,3}`,
  ),
  format(
    'sentry',
    'sntrys_ sntryu_ sntrya_ .ingest',
    `\\bsntrys_[\\w+/=-]{40,}`,
    `\\bsntry[ua]_${H}{64}`,
    `(?<=https?://)${H}{32}(?::${H}{32})?(?=@[\\w.-]*sentry)`,
  ),
  format(
    'new-relic',
    'NRAK- NRII- NRAL NRSP NRRA- NRIQ- NRBR- FFFFNRAL',
    `\\bNR(?:AK|II|SP|RA|IQ|BR)-[\\w-]{19,}`,
    `\\b${H}{36}(?:FFFF)?NRAL\\b`,
  ),
  format('datadog', 'ddapp_ dda_', `\\bdd(?:app|a)_${A}{30,}`),
  format('dynatrace', 'dt0c01. dt0s', `\\bdt0[a-z]\\d\\d\\.[A-Z0-9]{8,24}\\.[A-Z0-9]{64}`),
  format('honeycomb', 'hcaik_ hcbik_ hcamk_ hcxik_ hcxlk_', `\\bhc[axb][imlk]{2}_[a-z0-9]{40,}`),
  format('logfire', 'pylf_v', `\\bpylf_v\\d_(?:[a-z]+_)?${A}{30,}`),
  format('teamwork', 'tkn.v1_', `\\btkn\\.v1_[A-Za-z0-9+/]{40,}={0,2}`),
  format('zoho', '1000.', `\\b1000\\.${H}{32}\\.${H}{32}\\b`),
  format('pubnub', 'sub-c- pub-c- sec-c-', `\\b(?:sub|pub|sec)-c-[\\w-]{36,}`),
  format('checkly', 'cu_', `\\bcu_${H}{32}\\b`),
  format('rollbar', 'rollbar', `(?<=rollbar[^\\n]{0,30})\\b${H}{32}\\b`),
  format('maxmind', '_mmk', `\\b${A}{6}_${A}{29}_mmk\\b`),
  format(
    'authress',
    'sc_ ext_ scauth_ authress_',
    `\\b(?:sc|ext|scauth|authress)_${A}{5,30}\\.${A}{4,6}\\.acc[_-][a-z0-9-]{10,32}\\.[\\w+/=-]{30,120}`,
  ),
  format('settlemint', 'sm_aat_ sm_pat_ sm_sat_', `\\bsm_[aps]at_${A}{16}\\b`),
  format('adobe', 'p8e-', `\\bp8e-${A}{32}\\b`),
  format('intra42', 's-s4t2', `\\bs-s4t2(?:ud|af)-${H}{64}`),
  format('okta', 'SSWS ', `(?<=SSWS\\s{1,3})${B}{30,50}`),
  format('sidekiq', 'contribsys.com', `(?<=//)${H}{8}:${H}{8}(?=@(?:gems|enterprise)\\.contribsys\\.com)`),

  // Keys and hashes of passwords, by their standards
  format('age', 'AGE-SECRET-KEY-', `AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}`),
  format('extended-private-key', 'xprv yprv zprv tprv', `\\b[xyzt]prv[1-9A-HJ-NP-Za-km-z]{90,112}\\b`),
  format('nostr', 'nsec1', `\\bnsec1[qpzry9x8gf2tvdw0s3jn54khce6mua7l]{58}\\b`),
  format(
    'password-hash',
    '$2a$ $2b$ $2y$ $argon2 $6$ $5$ $1$ $apr1$ $scrypt pbkdf2',
    `\\$2[aby]\\$\\d\\d\\$[./A-Za-z0-9]{53}`,
    `\\$argon2(?:id|i|d)\\$v=\\d+\\$[mtp=,\\d]+\\$[A-Za-z0-9+/]+\\$[A-Za-z0-9+/]+`,
    `\\$(?:6|5|1|apr1|y)\\$(?:rounds=\\d+\\$)?[./A-Za-z0-9]{1,32}\\$[./A-Za-z0-9]{22,90}`,
    `pbkdf2_sha\\d+\\$\\d+\\$[^$\\s]+\\$[A-Za-z0-9+/=]+`,
  ),
  format('totp-uri', 'otpauth://', `(?<=otpauth://[^\\s"'<>]{1,300}[?&]secret=)[A-Z2-7]{16,}=*`),
]
