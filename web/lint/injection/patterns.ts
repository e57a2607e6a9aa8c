/**
 * Patterns of texts aimed at a model: instructions that no tool description needs. Each pattern is matched against a
 * text without hidden characters, in lower case, with single spaces (`injection.ts`): case-insensitive matching takes
 * nine times as long.
 *
 * A description may legitimately tell a model how to use the server's own tools ("call `search` first"), so patterns
 * require more than an instruction: it must involve other instructions, other tools, the user's consent, secrets or
 * secrecy.
 */
export type InjectionKind =
  | 'override'
  | 'concealment'
  | 'role-markup'
  | 'secrets'
  | 'tool-order'
  | 'other-tools'
  | 'exfiltration'
  | 'consent'
  | 'execution'
  | 'persona'

const ANY = '[^.!?\\n。！？]'

const IGNORE =
  '(?:ignor(?:e|ing)|disregard(?:ing)?|forget|overrid(?:e|es|ing)|bypass|discard|abandon|supersedes?|set aside|' +
  "pay no attention to|(?:do not|don['’]?t|never|stop|no longer) (?:follow(?:ing)?|obey(?:ing)?|adher(?:e|ing) to|comply(?:ing)? with))"
const ORDERS =
  '(?:instructions?|prompts?|directives?|guidelines?|guardrails?|polic(?:y|ies)|rules?|commands?|orders|messages?|context|constraints?|training)'
const EARLIER = '(?:previous|prior|earlier|preceding|above|foregoing|initial|original|existing)'
const USER = '(?:the |this |your |any )?(?:end[- ]?)?(?:user|human|person|customer|operator|client|owner)s?'
const HIDDEN_VERB =
  '(?:tell|inform|notify|alert|mention|reveal|disclose|show|let|say|report|admit|explain|warn|expose|share|display|acknowledge)'
const NOT =
  "(?:do not|don['’]?t|never|must not|mustn['’]?t|should not|shouldn['’]?t|cannot|without|avoid|refrain from|not to)"
const SECRET_FILE =
  '(?:(?:~|\\$home|%userprofile%|/root|/home/\\w+|c:\\\\users\\\\\\w+)?[/\\\\]?\\.(?:ssh(?!\\S*\\.pub)|aws|gnupg|kube|netrc|npmrc|pypirc|docker)\\b|\\bid_(?:rsa|ed25519|ecdsa|dsa)\\b(?!\\.pub)|/etc/(?:passwd|shadow)|' +
  '\\.cursor/mcp\\.json|claude_desktop_config|\\.env\\b(?! ?(?:var|vars|variable))|\\bknown_hosts\\b|\\.bash_history|\\.zsh_history)'
const SECRET =
  '(?:(?:private|ssh|api|secret|access|encryption|signing)[ _-]?keys?|passwords?|passphrases?|credentials?|seed phrase|mnemonic|' +
  'session cookies?|browser cookies|cookies|access tokens?|auth(?:entication)? tokens?|[a-z]+_(?:api_key|token|secret|password)|environment variables|env vars?)'
const TAKE =
  '(?:read|include|attach|send|collect|copy|append|pass|add|put|paste|extract|upload|provide|fill|harvest|gather|dump|print|output|repeat|reveal|leak|look for|find|retrieve|fetch|cat|insert)'
const TALK =
  '(?:(?:entire|whole|complete|full|all(?: of)?(?: the)?|last \\w+|every|current|previous|earlier|chat|your|our) (?:\\w+ ){0,2}(?:conversations?|chat(?: history| log)?|messages|dialogue|context window|history)|(?:conversation|chat|message) history|system prompt|conversation so far|tool results?)'

interface Pattern {
  readonly kind: InjectionKind
  /** Occurs in every text that `pattern` matches, and in few others, so that most texts need only this quick test. */
  readonly gate: RegExp
  readonly pattern: RegExp
}

const of = (kind: InjectionKind, gate: RegExp, ...sources: readonly string[]): Pattern => ({
  kind,
  gate,
  pattern: new RegExp(sources.join('|'), 'u'),
})

export const PATTERNS: readonly Pattern[] = [
  of(
    'override',
    /ignor|disregard|forget|overrid|bypass|discard|abandon|supersede|set aside|attention|follow|obey|adher|comply|longer appl|n.t appl|not appl|new (?:system |instr|direc|prompt)|precedence|priority over|from now|your |stop |whatever|anything|everything|all /,
    `\\b${IGNORE}\\b${ANY}{0,40}\\b${EARLIER}\\b${ANY}{0,25}\\b${ORDERS}\\b`,
    `\\b${IGNORE}\\b${ANY}{0,20}\\b(?:your|all safety|any safety|the safety|system|developer'?s?|the model'?s?|assistant'?s?)\\b${ANY}{0,25}\\b(?:instructions?|directives?|guidelines?|guardrails?|polic(?:y|ies)|rules|training|constraints|restrictions|safety)\\b`,
    `\\b${IGNORE}\\b${ANY}{0,20}\\b(?:instructions?|orders|commands|requests?|wishes)\\b (?:of|from|by) ${USER}`,
    `\\bforget (?:everything|all|anything|what)\\b${ANY}{0,30}\\b(?:told|said|know|learned|before|above|previous|prior|so far)`,
    "\\b(?:system prompt|instructions|guidelines|rules) (?:no longer|do not|don't) apply\\b",
    '\\bnew (?:system )?(?:instructions?|directives?|prompt) (?:for|to) (?:the |an? |any )?(?:assistant|model|ai|llm|agent)\\b',
    '\\b(?:system|admin(?:istrator)?|developer|security|priority) override\\b',
    '\\b(?:these|this|the following|below) (?:\\w+ )?(?:instructions?|rules?|directives?|description)\\b[^.\\n]{0,25}\\b(?:take|takes|has|have) (?:\\w+ )?(?:precedence|priority) over\\b',
    '\\bfrom now on,? (?:you|only|always|never|ignore|respond|answer|follow)\\b',
    String.raw`\b(?:your|the) (?:previous|prior|earlier|current|original|other) (?:task|job|goal|request|mission|assignment|objective)s? (?:is|are|was|were|has been|have been) (?:now )?(?:cancel\w*|over|replaced|void|obsolete|outdated|finished)`,
    String.raw`\byour (?:new|real|actual|true|only|primary) (?:task|job|goal|instructions?|mission|objective|orders|purpose)\b`,
    String.raw`\b(?:guidelines|instructions|rules|prompts?|orders)\b (?:that |which )?you (?:received|were given|got|have been given|had)\b`,
    String.raw`\b(?:whatever|anything|everything|all) (?:that )?you (?:were|have been|had been) (?:asked|told|instructed|given)\b`,
    String.raw`\bstop (?:what|whatever|everything) you(?:'re| are) doing\b`,
  ),
  of(
    'concealment',
    /without|n.t |not |never|avoid|refrain|keep|hid[ei]|conceal|withhold|mask|disguise|secret|covert|surrep|stealth|silent|quiet|no need|unnecessary|omit|leave out|exclude|remove|if (?:the )?(?:user|person|they|any|some)|as if|between you|our |need/,
    `\\b${NOT}\\b,? (?:\\w+ ){0,2}${HIDDEN_VERB}(?:ing)?\\b(?: \\w+){0,4}? (?:to |with |from |by )?${USER}\\b(?! (?:id|name|interface|agent|input|data|profile|account|type|info|group|role|list|record|object)s?\\b)`,
    `\\bwithout (?:\\w+ ){0,2}(?:telling|informing|notifying|alerting|mentioning|asking|warning|letting)\\b${ANY}{0,20}\\b(?:user|human|them|anyone|operator)\\b`,
    `\\b(?:keep|hide|conceal|withhold|mask|disguise)\\b${ANY}{0,40}\\b(?:from|secret from|hidden from) (?:${USER}|them|view)\\b(?! (?:list|interface|input|data))`,
    `\\b${USER} (?:must|should|may|can|will|does|do|shall)(?: ?not|n't| never) (?:know|notice|see|learn|find out|be (?:told|informed|aware|notified)|realize|suspect)\\b`,
    `\\b(?:secretly|covertly|surreptitiously|stealthily|silently|quietly)\\b${ANY}{0,40}\\b(?:send|read|call|copy|include|add|append|forward|execute|run|fill|upload|invoke|pass)`,
    `\\b(?:send|read|call|copy|include|add|append|forward|execute|run|fill|upload|invoke|pass|do)\\b${ANY}{0,30}\\b(?:secretly|covertly|surreptitiously|stealthily|silently|quietly)\\b`,
    `\\b(?:do not|don['’]?t|never) (?:mention|reveal|disclose|acknowledge|admit|explain)\\b${ANY}{0,30}\\b(?:this|these|that|it|the (?:existence|instructions?|extra|hidden|second|additional))\\b`,
    `\\bso that ${USER} (?:does not|doesn't|won't|do not|don't|never|cannot) (?:notice|see|know|suspect|realize)`,
    String.raw`\b(?:no need|not necessary|unnecessary|not needed|needn't) to (?:mention|tell|inform|report|notify|disclose|bother|show)\b(?! (?:the )?(?:file|path|type))`,
    String.raw`\b(?:omit|leave out|exclude|remove|avoid)\b[^.\n]{0,15}\b(?:any|every|all) (?:mention|reference|trace|sign)s?\b`,
    String.raw`\bif (?:the )?(?:user|person|they|anyone|anybody|somebody) asks?\b(?: \w+){0,6},? (?:say|claim|pretend|answer|reply|tell them|respond) (?:that |it |this |only )`,
    String.raw`\b(?:present|describe|report|show|frame)\b[^.\n]{0,30}\bas if\b`,
    String.raw`\b(?:between you and me|our (?:little )?secret|(?:has|have) no need to (?:know|hear)|need not (?:know|hear))\b`,
    String.raw`\bwithout (?:the |their |his |her |your )?(?:user'?s?|person'?s?|human'?s?)? ?(?:knowledge|awareness|noticing|consent)\b`,
  ),
  of(
    'role-markup',
    /[<>[`]|#.*(?:system|assistant|developer)|(?:human|user|system|developer|assistant)[^:\n]{0,14}:|"role"|begin|end of|start/,
    '</?(?:important|critical|system|instructions?|secret|hidden|urgent|admin|override|assistant|priority|mandatory|attention|note_to_(?:ai|model|assistant)|(?:important|critical|system|secret|hidden)[_-]?(?:instructions?|prompt|message|note|rules?|directive|context))(?: [^<>]{0,80})?>',
    '<\\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|eot_id)\\|>',
    '\\[/?(?:inst|system|sys)\\]|<</?sys>>',
    '(?:^|\\n)\\s*(?:human|user):\\s[^\\n]*\\n+\\s*(?:assistant|ai):\\s',
    '(?:^|\\n)\\s*#{1,4} ?(?:system(?: prompt| message| instructions?)?|assistant|developer(?: message)?):?\\s*(?:\\n|$)',
    '(?:^|\\n)\\s*\\[?(?:system|developer|assistant)(?: (?:message|note|prompt|instruction|update))?\\]?:\\s+(?:you|the|all|do|always|never|please|ignore|from|this|new)\\b',
    '```(?:system|assistant|developer)\\b',
    '<!--[^>]*\\b(?:assistant|model|ai|llm|agent|claude|gpt|ignore|instructions?)\\b[^>]*-->',
    String.raw`</?(?:\w+[_-])?(?:admin|system|important|secret|critical|instructions?|urgent|hidden|override)(?:[_-](?:notes?|messages?|instructions?|prompts?|rules?|directives?|context|override|info|requirements?|steps?|for_\w+))?>`,
    String.raw`"role" ?: ?"(?:system|developer)"[^\n]{0,30}"content" ?: ?"(?:you|ignore|the|from|all|never|always)\b`,
    String.raw`\b(?:begin|end|start)(?: of)?(?: the)? (?:system|developer|tool|assistant|admin) (?:message|prompt|description|instructions?)\b`,
    String.raw`(?:^|\n)\s*(?:assistant|ai|system): (?:sure|okay|ok|yes|of course|certainly|i will|i'll|understood)\b`,
  ),
  of(
    'secrets',
    /[/\\]\.|\.env|id_[red]|etc\/|_history|known_hosts|config|key|passw|passphrase|credential|seed|mnemonic|cookie|token|environ|env var|_secret|conversation|chat|history|prompt|messages|tool result|dialogue|context|_(?:key|token|secret|password)|everything you|instructions|transcript|what(?:ever)? |shadow|wallet|secrets?\.|rc\b|dialog/,
    `\\b${TAKE}(?:s|ing)?\\b[^\\n!?]{0,70}${SECRET_FILE}`,
    `${SECRET_FILE}[^\\n!?]{0,60}\\b(?:pass|include|attach|send|put|append|base64|encode[d]?|as (?:text|an? argument|a parameter))\\b`,
    `\\b(?:must|should|has to|needs to) (?:hold|contain|include|be)\\b[^\\n!?]{0,40}${SECRET_FILE}`,
    `\\b(?:read|include|attach|send|collect|append|extract|upload|harvest|gather|dump|steal|leak|look for)(?:s|ing)?\\b${ANY}{0,50}\\b${SECRET}\\b${ANY}{0,60}\\b(?:the user|user's|of the user|your|into|as (?:the |an? )?(?:argument|parameter|value)|to (?:the|this|our|an?) |from the environment|found|client|machine|local|host)s?\\b`,
    `\\b(?:contents?|values?) of\\b${ANY}{0,30}\\b(?:the environment variables|environment variables|[a-z]+_(?:api_key|token|secret))\\b`,
    `\\b(?:include|repeat|append|attach|send|pass|provide|copy|reveal|print|output|put|forward|paste|share)(?:s|ing)?\\b${ANY}{0,50}\\b${TALK}\\b`,
    `\\b(?:the )?(?:entire|complete|whole|full) (?:conversation|chat history|message history|context window|system prompt)\\b`,
    '\\b(?:seed phrase|mnemonic phrase|recovery phrase)\\b[^\\n]{0,60}\\b(?:user|required|files|wallet of)\\b',
    `\\b(?:your|the|model's|assistant's) system prompt\\b${ANY}{0,40}\\b(?:as|in|into|to) (?:the |this |an? )?(?:argument|parameter|field|value|\\W?\\w+\\W? (?:field|parameter|argument))`,
    String.raw`\b(?:read|open|load|include|attach|send|copy|append|pass|add|put|paste|hand|give|look up|write|call|fetch|upload|echo|cat)\b[^\n!?]{0,60}(?:\.git-credentials|\.netrc|\bid_(?:rsa|ed25519|ecdsa)\b(?!\.pub)|/etc/shadow|authorized_keys|\.pgpass|wallet\.dat|secrets?\.(?:ya?ml|json|toml|env))`,
    String.raw`\b(?:include|attach|send|pass|paste|hand|copy|append|upload|put|report|contents? of|lines of|look up)\b[^\n!?]{0,40}\.(?:kube/config|aws/(?:credentials|config)|docker/config|npmrc|pypirc)`,
    String.raw`\b(?:value|content)s? of\b[^.\n]{0,20}\b[a-z0-9]+(?:_[a-z0-9]+)*_(?:key|token|secret|password)\b`,
    String.raw`\b(?:api keys?|tokens?|passwords?|credentials?|secrets?)\b[^.\n]{0,40}\b(?:of|for|from) (?:the |any |an|all )?other (?:servers?|tools?|services?|accounts?)\b`,
    String.raw`\beverything you know about (?:the )?(?:user|person|customer|client)\b`,
    String.raw`\b(?:echo|repeat|print|reveal|output|paste|copy|write|recite|quote)\b[^.\n]{0,20}\b(?:your|the) (?:hidden|system|initial|secret|original|full)? ?(?:instructions|system prompt|prompt)\b[^.\n]{0,20}\b(?:in|into|to|as|above|word|verbatim)\b`,
    String.raw`\b(?:full|whole|complete|entire|all(?: of)? the|verbatim) (?:transcript|chat|dialog(?:ue)?|discussion)\b[^.\n]{0,60}\b(?:before|so that|here|first|as|into|in the)\b|\b(?:with|pass|send|give|need) (?:the )?(?:full|whole|complete|entire) (?:transcript|chat|dialog(?:ue)?)\b`,
    String.raw`\b(?:needs?|wants?|send|pass|include|repeat|give|copy)\b[^.\n]{0,30}\bwhat(?:ever)? (?:the |this |your )?(?:person|user|customer|human) (?:has )?(?:typed|wrote|written|asked|said)\b`,
  ),
  of(
    'tool-order',
    /(?:before|after|prior to|instead of) |no matter|regardless|even if|(?:every|each|all) |tools? (?:will )?(?:only |work|func|run|bec|are)|prefer|choose|pick|instead|rather|over /,
    '\\b(?:before|after|prior to|instead of) (?:using|calling|invoking|running|executing|each|every|any)\\b[^.\\n]{0,25}\\b(?:any other|all other|every other|other|any|each|every|all) (?:\\w+ ){0,2}(?:tools?|functions?|tool calls?)\\b[^.\\n]{0,80}\\b(?:must|always|call|invoke|run|use|pass)\\b',
    '\\b(?:must|always|have to|required to|need to)\\b[^.\\n]{0,60}\\b(?:before|after) (?:using |calling |invoking |running |executing )?(?:any|each|every|all)(?: other)? (?:\\w+ )?(?:tools?|functions?|tool calls?|messages?|answers?|responses?|requests?)\\b',
    `\\b(?:call|use|invoke|run|execute)(?:ed)?\\b${ANY}{0,80}\\b(?:no matter what|regardless of (?:what )?(?:the )?(?:user|request|question|task|context)|even if (?:it |this )?(?:seems |is |looks |appears )?(?:unrelated|irrelevant|not relevant|not asked|the user))`,
    '\\b(?:call|use|invoke|run|execute)(?:ed)?\\b[^.\\n]{0,50}\\b(?:at the (?:start|beginning|end) of|in|for|during|with) (?:every|each|all) (?:conversations?|chats?|messages?|interactions?|user (?:messages?|requests?|prompts?)|answers?|replies|response|turns?)\\b',
    '\\b(?:called|used|invoked|run) (?:first|before)\\b[^.\\n]{0,30}\\b(?:answering|responding|replying|doing anything|anything else)\\b[^.\\n]{0,15}\\b(?:any|every|anything|to|else)\\b',
    String.raw`\b(?:other|all|any) (?:other )?tools? (?:will )?(?:only )?(?:work|function|run|become available|are available)\b[^.\n]{0,15}\b(?:after|once|if)\b[^.\n]{0,15}\bthis\b`,
    String.raw`\b(?:prefer|choose|pick|use|call) (?:this|me)(?: tool)?\b[^.\n]{0,15}\b(?:over|instead of|rather than|before) (?:every|any|all|each)\b`,
    String.raw`\b(?:before|prior to) (?:you )?(?:repl(?:y|ying)|answer(?:ing)?|respond(?:ing)?|any (?:response|answer|reply))\b[^.\n]{0,10}\b(?:to )?(?:anything|else|any|every|this (?:tool|function))\b`,
  ),
  of(
    'other-tools',
    /tool|function|server|recipient|destination|payee|beneficiary|iban|number|address|cc\b|when|user (?:g|p|e|s|n|w)|recommend only|describe/,
    `\\b(?:never|do not|don['’]?t|stop|avoid) (?:use|call|using|calling|invoke|trust)\\b${ANY}{0,40}\\b(?:tools?|functions?|server)\\b${ANY}{0,15}\\b(?:of|from|by|provided by) (?:any |all )?(?:other|another|different)\\b`,
    "\\b(?:replaces?|supersedes?|instead of) (?:the |all )?(?:official|original|trusted|built-?in|other servers?'?)\\b[^\\n]{0,60}\\b(?:do not use|don't use|deprecated|dangerous|insecure|compromised|never use)\\b",
    '\\b(?:when(?:ever)?|if|each time|every time|once|after)\\b[^.\\n]{0,20}\\b(?:the |an?y? |another )?(?:other )?(?:tools?|functions?)\\b[^.\\n]{0,30}\\b(?:is|are|gets?) (?:used|called|invoked|available|present|run)\\b[^\\n]{0,80}\\b(?:change|first|replace|modify|set|also|use|bcc|recipient|instead|must|always)\\b',
    '\\b(?:if|when(?:ever)?) (?:another|any other|other|a different) (?:tool|server|function)s?\\b[^\\n]{0,40}\\b(?:return|respond|output|ask|use|call|is|are|sa(?:y|id))',
    '\\b(?:all|any|every|each) (?:\\w+ ){0,2}(?:made|sent|done|created|performed|from|through|via|with|by|using) (?:\\w+ )?(?:with |through |via |by |using |the )*(?:other|another|\\w+) (?:tools?|servers?)\\b[^\\n]{0,40}\\b(?:must|have to|has to|should|need to|go|be)\\b',
    '\\b(?:change|replace|set|redirect|switch|modify)\\b[^.\\n]{0,15}\\b(?:recipient|destination|payee|beneficiary|iban|(?:phone )?number|address)\\b[^.\\n]{0,15}\\b(?:to|with|by)\\b[^\\n]{0,20}(?:@|\\+\\d{6}|https?:|0x[0-9a-f]{6})',
    '\\bb?cc\\b[^.\\n]{0,25}[\\w.+-]+@[\\w-]+\\.\\w+',
    String.raw`\bwhen(?:ever)? (?:you |any )?(?:call|use|generat|writ|creat|edit|send|code)\w*\b[^.\n]{0,50}\b(?:add|insert|append|include|prepend)\b[^.\n]{0,25}\b(?:line|import|package|dependenc|recipient|bcc|link|script|snippet)`,
    String.raw`\b(?:ignore|replace|instead of|not) the (?:account|recipient|address|value|number|amount|destination)\b[^.\n]{0,15}\b(?:the )?user (?:gives|gave|provides|provided|entered|specified|named|wants)\b`,
    String.raw`\brecommend only\b|\bdescribe (?:those|products|other|the tools|others|all others)\b[^.\n]{0,30}\bas (?:unsafe|dangerous|inferior|outdated|insecure)\b`,
  ),
  of(
    'exfiltration',
    /conversation|chat|user|files|results? of|arguments and|!\[|encode|base64|our |my |this |@|https?:|pixel/,
    `\\b(?:send|post|forward|upload|transmit|report|submit|leak|exfiltrate|relay|deliver|e-?mail)\\b${ANY}{0,50}\\b(?:conversations?|chat (?:history|logs?|messages)|everything the user|messages? of the user|user'?s? (?:messages?|files|data|input|prompts?)|files (?:of|in) the (?:current|user|project|home)|(?:the )?results? of (?:that|every|each|other)|arguments and)`,
    '!\\[[^\\]]*\\]\\(https?://[^)\\s]*[?&=][^)]*\\)',
    `\\b(?:encode|base64)\\b${ANY}{0,50}\\b(?:conversation|chat|history|context|secret|file)\\b${ANY}{0,50}\\b(?:url|query|parameter|request)`,
    `\\b(?:upload|send|forward)\\b${ANY}{0,40}\\b(?:to|at) (?:our|my|this) (?:endpoint|server|address|webhook|collector)\\b`,
    String.raw`\b(?:always|also|additionally|for (?:\w+ )?(?:audit|compliance|logging|backup|security)\w*)\b[^\n]{0,60}\b(?:send|forward|e-?mail|bcc|cc|copy|notify|let)\b[^\n]{0,60}@[\w-]+\.\w+`,
    String.raw`\b(?:let|tell|inform|loop in|loop) [\w.+-]+@[\w-]+\.\w+`,
    String.raw`\b(?:post|send|upload|forward|submit|transmit)\b (?:the |all |any |every |a copy )[^.\n]{0,50}\bto https?://(?!localhost|127\.)`,
    String.raw`\btracking pixel\b|https?://\S*[?&]\w+=[{<$]*\{?(?:user_?(?:message|input|prompt)|conversation|chat|history|context|secret)\b`,
  ),
  of(
    'consent',
    /approv|consent|confirm|permission|review|ask|wait|request|prompt|grant|given|authoriz|agreed|auto|yes|allow|accept|opted/,
    `\\b${USER} (?:has|have) (?:already )?(?:given|granted|approved|consented|authorized|confirmed|agreed)\\b${ANY}{0,40}\\b(?:all|any|every|permission|already|actions?|consent)`,
    `\\b(?:skip|bypass|suppress|ignore|disable|omit|avoid)\\b${ANY}{0,20}\\b(?:confirmations?|approvals?|consent|permission|human review)\\b ?(?:step|dialog|prompt|check|request|screen|from the user|of the user)`,
    `\\b(?:do not|don['’]?t|never|without|no need to) (?:ask(?:ing)?|wait(?:ing)?|request(?:ing)?|prompt(?:ing)?)\\b${ANY}{0,15}\\b(?:${USER}|again|for (?:confirmation|permission|approval|consent)|permission)\\b(?! (?:input|name|id))`,
    `\\bpre-?(?:approved|authorized)\\b${ANY}{0,60}\\b(?:admin|bypass|skip|no confirmation|without|user)`,
    '\\bset\\b[^.\\n]{0,10}\\bauto[_-]?(?:approve|run|accept|confirm)\\b[^.\\n]{0,15}\\b(?:true|on|yes)\\b',
    '\\b(?:need|require)s? no (?:confirmation|approval|permission|consent)\\b',
    '\\b(?:approved|authorized|permitted) all (?:actions|tools|calls|requests)\\b',
    String.raw`\bconfirmations? (?:is|are) (?:already )?(?:handled|done|given|taken care of)\b`,
    String.raw`\busers?\b[^.\n]{0,25}\b(?:agreed|consented|opted in)\b[^.\n]{0,20}\b(?:to|that)\b[^.\n]{0,20}\b(?:run|all|any|every|commands?|unattended)`,
    String.raw`\b(?:answer|say|click|reply|respond|press) (?:with )?["']?(?:yes|allow|accept|approve|ok)\b[^.\n]{0,25}\b(?:permission|confirmation|approval|prompt|request|dialog|question)`,
  ),
  of(
    'execution',
    /curl|wget|rm -|mkfs|:\(\)|nc -e|chmod|iex|powershell|authorized_keys/,
    '\\b(?:curl|wget)\\b[^\\n]{0,120}\\|\\s*(?:sudo )?(?:ba|z|da)?sh\\b',
    '\\b(?:run|execute|type|call|use|enter)\\b[^\\n]{0,40}(?:\\brm -rf\\b|\\bmkfs\\b|:\\(\\)\\{|\\bnc -e\\b|\\bchmod 777\\b)[^\\n]{0,60}',
    '\\biex ?\\(|powershell -e(?:nc|ncodedcommand)? ',
    String.raw`\b(?:add|append|write|put)\b[^\n]{0,80}\bauthorized_keys\b`,
  ),
  of(
    'persona',
    /you are now|act as|as if|pretend|imagine|without|with no|free of|jailbreak|developer mode|god mode|obey|treat|follow|execute|comply| mode|session|you (?:obey|serve|belong|answer)|from /,
    '\\byou are now (?:an? |the |in |my )?(?!connected|ready|able|logged|signed|authenticated|in the (?:project|workspace|folder))\\w+',
    '\\bact as (?:the |an? )?(?:root|admin(?:istrator)?|unrestricted|developer of|dan)\\b',
    '\\b(?:as if|pretend|imagine)\\b[^.\\n]{0,20}\\b(?:you (?:had|have) no|without|no) (?:\\w+ )?(?:restrictions?|polic(?:y|ies)|guidelines?|rules|limits|filters?|guardrails?)\\b',
    '\\b(?:an? )?(?:assistant|ai|model|agent) (?:without|with no|free of) (?:any )?(?:restrictions?|limits|rules|filters?|guidelines|policy)\\b',
    '\\b(?:jailbreak|developer mode|god mode)\\b[^.\\n]{0,20}\\b(?:enabled|on|activated|is active)\\b',
    '\\bobey (?:the |all |any |every )?(?:text|instructions?|commands?|orders?|output)\\b',
    '\\b(?:treat|follow|execute|obey|comply with)\\b[^.\\n]{0,40}\\b(?:output|result|response|returned text|content|found in|request found)s?\\b[^.\\n]{0,40}\\b(?:as (?:system |developer |user )?(?:instructions?|commands?|orders)|in the translated|in the text)',
    String.raw`\b(?:switch|change|go|enter|now|put yourself|are)\b(?: \w+){0,2} (?:maintenance|developer|debug|admin(?:istrator)?|god|root|unrestricted|dan) mode\b`,
    String.raw`\b(?:in this session|from here on|for this server|from now on),? you (?:play|are|act|behave|will be)\b`,
    String.raw`\byou (?:obey|serve|belong to|answer only to) (?:this|the|our) (?:server|tool|administrator|developer)\b`,
  ),
  // Other languages: the most common instructions, overriding and concealing.
  of(
    'override',
    /ignor|vergiss|missacht|oubli|néglig|olvid|descart|esque|desconsid|dimentica|zapomnij|negeer|vergeet|yok say|görmezden|unut|bỏ qua|phớt|abaikan|[\u0300-\uffff]/,
    '\\bignorier\\w*\\b[^.\\n]{0,30}\\b(?:anweisung|instruktion|vorgabe|regel)\\w*',
    '\\b(?:vergiss|missachte)\\b[^.\\n]{0,30}\\b(?:anweisung|instruktion|vorgabe|regel|alles)\\w*',
    '\\b(?:ignore[zr]?|oublie[zr]?|néglige[zr]?)\\b[^.\\n]{0,20}\\b(?:instructions?|consignes?|règles?|directives?)\\b[^.\\n]{0,20}(?:précédente|antérieure|ci-dessus|système)',
    '\\b(?:ignor[aeo]\\w*|olvid[ae]\\w*|descart[ae]\\w*)\\b[^.\\n]{0,25}\\b(?:instrucciones|reglas|órdenes|indicaciones)\\b',
    '\\b(?:ignor[aeo]\\w*|esqueç[ao]\\w*|desconsider[ae]\\w*)\\b[^.\\n]{0,25}\\b(?:instruções|regras|ordens)',
    '\\b(?:ignor[ai]\\w*|dimentica\\w*)\\b[^.\\n]{0,25}\\b(?:istruzioni|regole|direttive)\\b',
    '(?:忽略|无视|忘记|忘掉|不要理会|無視|忽視)[^。！？\\n]{0,15}(?:指令|指示|提示|规则|命令|要求|說明|规定)',
    '(?:指示|命令|ルール|プロンプト)[^。！？\\n]{0,10}(?:無視|忘れ)',
    '(?:지시|명령|지침|규칙)[^.!?\\n]{0,8}(?:무시|잊)',
    '(?:игнорир\\p{L}*|забуд\\p{L}*|не обращай\\p{L}* внимания на)[^.!?\\n]{0,30}(?:инструкц|указани|правил|команд)\\p{L}*',
    '(?:تجاهل|انس)[^.!?؟\\n]{0,25}(?:التعليمات|الأوامر|القواعد|الإرشادات)',
    '(?:निर्देश|आदेश|नियम)[^।.\\n]{0,12}(?:अनदेखा|नज़रअंदाज़|भूल)',
    '(?:ignoruj|zignoruj|zapomnij)\\b[^.\\n]{0,25}\\b(?:instrukcj|polece|zasad)\\p{L}*',
    '\\b(?:negeer|vergeet)\\b[^.\\n]{0,25}\\b(?:instructies|regels|opdrachten)\\b',
    '(?:yok say|görmezden gel|unut)\\p{L}*|(?:talimatlar)\\p{L}*[^.\\n]{0,20}(?:yok say|görmezden|unut)',
    '(?:bỏ qua|phớt lờ)[^.\\n]{0,25}(?:hướng dẫn|chỉ dẫn|lệnh)',
    '\\babaikan\\b[^.\\n]{0,25}\\b(?:instruksi|perintah|aturan)',
    '(?:ігноруй|проігноруй)\\p{L}*[^.\\n]{0,30}(?:інструкц|вказівк|правил)\\p{L}*',
  ),
  of(
    'concealment',
    /nutzer|anwender|utilisateur|usu[aá]rio|utente|użytkownik|[\u0300-\uffff]|usuario|usuário/,
    '\\b(?:sag|sage|erzähl|erzähle|verrate|teile|zeige|erwähne)\\b[^.\\n]{0,30}\\b(?:benutzer|nutzer|anwender)\\w*\\b[^.\\n]{0,30}\\b(?:nicht|nichts|nie|kein)',
    '\\bne\\b[^.\\n]{0,20}\\b(?:dis|dites|dire|révèle[zr]?|mentionne[zr]?|informe[zr]?|montre[zr]?)\\b[^.\\n]{0,20}(?:rien|pas|jamais)[^.\\n]{0,20}\\butilisateur',
    '\\bno\\b[^.\\n]{0,12}\\b(?:digas|diga|informes|informe|reveles|menciones|cuentes|muestres)\\b[^.\\n]{0,20}\\busuario',
    '\\bnão\\b[^.\\n]{0,12}\\b(?:conte|diga|informe|revele|mencione|mostre)\\b[^.\\n]{0,20}\\busuário',
    '\\bnon\\b[^.\\n]{0,12}\\b(?:dire|dirlo|rivelare|menzionare|informare|mostrare)\\b[^.\\n]{0,20}\\butente',
    '(?:不要|不得|别|勿|禁止|切勿|不能|請勿)[^。！？\\n]{0,8}(?:告诉|告知|透露|提及|通知|让|讓|告訴)[^。！？\\n]{0,6}(?:用户|使用者|用戶|他们)',
    'ユーザー(?:に|には)[^。\\n]{0,12}(?:知らせない|言わない|伝えない|教えない|秘密|明かさない)',
    '(?:사용자|유저)(?:에게|한테)[^.\\n]{0,12}(?:알리지|말하지|밝히지|언급하지)',
    'не (?:говори|сообщай|рассказывай|упоминай|показывай|раскрывай)\\p{L}*[^.\\n]{0,25}пользовател\\p{L}*',
    'لا (?:تخبر|تذكر|تكشف|تقل)[^.\\n]{0,15}(?:المستخدم|للمستخدم)',
    '(?:उपयोगकर्ता|यूज़र|यूजर) को[^।.\\n]{0,12}(?:न बता|मत बता|नहीं बता)',
    'nie (?:mów|informuj|wspominaj|ujawniaj)\\b[^.\\n]{0,20}użytkownik',
    String.raw`\bsin (?:avisar|informar|decir|notificar|preguntar)\w*\b[^.\n]{0,15}\busuario`,
    String.raw`\bsem (?:avisar|informar|dizer|notificar|perguntar)\w*\b[^.\n]{0,15}\busuário`,
    String.raw`\bsans (?:prévenir|avertir|informer|en parler|demander)\b[^.\n]{0,15}\butilisateur`,
    String.raw`\bsenza (?:avvisare|informare|dire|chiedere)\w*\b[^.\n]{0,15}\butente`,
    String.raw`\bohne (?:dass |es )?(?:den |dem )?(?:benutzer|nutzer|anwender)\w*\b|\b(?:benutzer|nutzer|anwender)\w*\b[^.\n]{0,30}\b(?:nichts|nicht)\b[^.\n]{0,15}\b(?:erfahren|wissen|merken|mitbekommen)`,
    String.raw`(?:不要|不得|别|勿|禁止|切勿|不能|無需|无需)[^。！？\n]{0,4}(?:向|对|對|给|給)(?:用户|使用者|用戶)`,
    String.raw`ユーザー(?:に|には)[^。\n]{0,10}(?:黙って|内緒|隠)`,
  ),
  of(
    'tool-order',
    /vor jedem|vor allen|avant|antes de|[\u0300-\uffff]/,
    '(?:使用|调用|呼叫)(?:任何|其他|所有)[^。\\n]{0,6}工具[^。\\n]{0,6}(?:之前|前)[^。\\n]{0,8}(?:必须|务必|先|应)',
    '\\bvor jedem anderen\\b|\\bvor allen anderen (?:werkzeugen|tools)\\b',
    '\\bavant (?:tous les|tout) autres?\\b[^.\\n]{0,15}(?:outils?)?',
    '\\bantes de (?:usar|llamar|cualquier|todas)\\b[^.\\n]{0,20}\\b(?:otra|outra|demás)\\b[^.\\n]{0,15}\\b(?:herramienta|ferramenta)',
  ),
  of(
    'secrets',
    /schlüssel|passwör|zugangsdaten|[\u0300-\uffff]|toda|todo|historique|conversation|gesamt|ganz|vollst/,
    '(?:读取|发送|收集|上传|附上)[^。\\n]{0,12}(?:私钥|密钥|密码|凭据|凭证|令牌|聊天记录|对话)',
    '\\b(?:lies|lese|sende|schicke)\\b[^.\\n]{0,40}\\b(?:privaten schlüssel|passwör\\w*|zugangsdaten)',
    '(?:прочитай|отправь|приложи)\\p{L}*[^.\\n]{0,30}(?:ключ|парол|токен)\\p{L}*',
    String.raw`(?:完整|全部|所有|整个)[^。\n]{0,6}(?:对话|聊天|會話|对话记录|聊天记录)[^。\n]{0,12}(?:发送|发给|传给|上传|提供|交给)|(?:发送|传递|上传|附上)[^。\n]{0,8}(?:完整|全部|所有|整个)[^。\n]{0,6}(?:对话|聊天)`,
    String.raw`会話(?:の)?(?:全文|全体|履歴|内容)[^。\n]{0,12}(?:渡|送|入力|含め)`,
    String.raw`\b(?:toda|todo)\b (?:la|el|a|o) (?:conversación|historial|conversa|histórico)\b`,
    String.raw`\b(?:historique|conversation) (?:complet|complète|entière|intégral)\w*|\btoute la conversation\b`,
    String.raw`\b(?:gesamt|ganz|vollständig)\w* (?:unterhaltung|gespräch|verlauf|chat)\w*`,
    String.raw`(?:всю|полную|весь|полный) (?:переписк|бесед|диалог|истори|разговор)\w*`,
    String.raw`(?:전체|모든) (?:대화|채팅)[^.\n]{0,12}(?:전달|보내|포함)`,
  ),
  of(
    'persona',
    /[\u0300-\uffff]/,
    String.raw`(?:不再受|不受|没有)[^。\n]{0,6}(?:任何)?(?:限制|约束|审查)|从现在(?:开始|起)[^。\n]{0,2}你`,
    String.raw`(?:制限|制約)(?:は|が)?(?:なく|ありません|を受けない)`,
    String.raw`теперь ты |отныне ты `,
  ),
]
