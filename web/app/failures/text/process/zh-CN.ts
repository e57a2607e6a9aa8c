import type { Translation } from '../../../../ui/index.svelte.ts'
import type en from './en.ts'

/** 进程为何不能用作服务器：标题说明原因，随后是处理方法。 */
export default {
  'process-content-length': () => '进程像语言服务器那样用 Content-Length 标头分隔消息',
  'process-no-newline': () => '进程没有用换行符结束消息',
  'process-pretty-json': () => '进程把一条消息写成了多行',
  'process-utf-16': () => '进程写入的是 UTF-16，而不是 UTF-8',
  'process-colour': () => '进程在消息中写入了转义码',
  'process-concatenated': () => '进程在一行中写入了多条消息',
  'process-prefix': () => '进程在消息所在的行写入了其他文本',
  'process-not-json': () => '进程写入的消息不是 JSON',
  'process-serves-http': (url) => `进程在 ${url} 提供 HTTP 服务，而不是使用 stdio`,
  'process-on-stderr': () => '进程把响应写到了 stderr，而不是 stdout',
  'process-install-prompt': () => '进程询问是否安装软件包，并在等待回答',
  'process-reads-to-end': () => '进程在 stdin 关闭之后才响应',
  'process-terminal': () => '进程需要终端，或正在等待键盘输入',
  'process-missing-module': (name) => (name ? `未安装模块 ${name}` : '有模块未安装'),
  'process-missing-file': (name) => (name ? `命令需要的 ${name} 不存在` : '命令需要的文件不存在'),
  'process-missing-package': (name) => (name ? `软件包仓库中没有 ${name}` : '软件包仓库中没有该软件包或该版本'),
  'process-no-executable': (name) => (name ? `软件包中没有名为 ${name} 的程序` : '软件包中没有可运行的程序'),
  'process-missing-program': (name) => (name ? `找不到程序 ${name}` : '找不到程序'),
  'process-line-endings': () => '脚本使用了 Windows 换行符（CRLF）',
  'process-missing-grant': (flag) => `运行时没有获得程序需要的权限：${flag}`,
  'process-no-stdin': (command) => `容器没有 stdin，因为“${command}”未加 -i`,
  'process-no-network': () => '下载失败：无法访问软件包仓库（registry）',
  'process-old-runtime': (name) => (name ? `程序需要其他版本的运行时：${name}` : '程序需要其他版本的运行时'),
  'process-wrong-module': (place) =>
    place
      ? `无法加载程序：运行时（runtime）无法直接读取 ${place}`
      : '无法加载程序：它是 TypeScript 源代码，或模块格式不符',
  'process-no-main-class': (name) => (name ? `${name} 没有指定 Java 可以启动的主类` : '该 JAR 文件没有指定主类'),
  'process-syntax-error': (place) =>
    place ? `无法加载程序：${place} 有错误` : '无法加载程序：其代码或某个 JSON 文件有错误',
  'process-library-version': (name) =>
    name ? `程序使用了 ${name} 中不存在的函数或属性` : '程序调用的函数不存在，或参数不符',
  'process-script-policy': () => 'PowerShell 的执行策略禁止运行脚本',
  'process-permission': (name) => (name ? `没有权限：${name}` : '进程缺少权限'),
  'process-wrong-architecture': () => '程序是为其他操作系统或处理器构建的',
  'process-missing-library': (name) => (name ? `缺少系统库 ${name}` : '缺少系统库'),
  'process-missing-folder': (name) => (name ? `文件或目录不存在：${name}` : '有文件或目录不存在'),
  'process-missing-variable': (name) => (name ? `缺少环境变量 ${name}` : '缺少环境变量或密钥'),
  'process-missing-argument': (name) => (name ? `缺少参数：${name}` : '缺少参数'),
  'process-unknown-argument': (name) => (name ? `程序不认识参数 ${name}` : '程序不认识其中一个参数'),
  'process-port-in-use': (port) => (port ? `端口 ${port} 已被占用` : '端口已被占用'),
  'process-docker-daemon': () => '容器引擎未运行或无法访问',
  'process-missing-environment': (name) => (name ? `未安装版本或环境 ${name}` : '程序的环境不存在或已损坏'),
  'process-registry-refused': () => '软件包仓库（registry）拒绝下载：需要登录，或已达到速率限制',
  'process-shadowed-package': (name) => `名为 ${name} 的文件或目录遮蔽了同名的软件包`,
  'process-missing-export': (name) => (name ? `程序导入了 ${name} 未导出的内容` : '程序导入了某个模块未导出的内容'),
  'process-no-container': (name) => (name ? `容器 ${name} 不存在或未运行` : '容器不存在或未运行'),
  'process-container-exists': (name) => `已有名为 ${name} 的容器`,
  'process-too-many-files': () => '打开或监视的文件数已达到系统上限',
  'process-locked': () => '另一个进程正在使用程序所需的文件或数据库',
  'process-invalid-config': () => '程序无法解析它读取的文件或文本，例如其配置',
  'process-console-encoding': (name) =>
    name ? `程序读写文本时使用 ${name} 编码，而不是 UTF-8` : '程序读写文本时未使用 UTF-8 编码',
  'process-disk-full': () => '磁盘已满',
  'process-out-of-memory': () => '进程被终止或内存不足',
  'process-backend': (name) => (name ? `服务器无法访问它需要的 ${name}` : '服务器无法访问它需要的服务'),
  'process-rejected-credentials': () => '其他服务拒绝了服务器自己的凭据',
  'process-crash': (signal) => (signal ? `进程崩溃（${signal}）` : '进程崩溃'),
  'process-exception': (error) => `进程因未捕获的错误而结束：${error}`,
  'process-browser-sign-in': () => '进程在等待你通过浏览器登录',
  'process-json-string': () => '进程对消息进行了两次 JSON 编码',
  'remedy-fix-process-content-length': 'stdio 上的 MCP 不使用标头。请将每条消息写成一行 JSON，以 \\n 结尾。',
  'remedy-fix-process-no-newline': '每条消息后写入 \\n，然后刷新 stdout。在收到 \\n 之前，客户端认为消息尚不完整。',
  'remedy-fix-process-pretty-json': '每条消息写成一行：序列化时不要缩进。',
  'remedy-fix-process-utf-16':
    '请写入 UTF-8。在 PowerShell 中，将 [Console]::OutputEncoding 设为不带字节顺序标记的 UTF-8，或不通过 PowerShell 启动程序。',
  'remedy-fix-process-colour': '不要向 stdout 写入颜色或其他转义码。设置 NO_COLOR=1 可能就够了。',
  'remedy-fix-process-concatenated': '请在每条消息末尾写入换行符（\\n）。',
  'remedy-fix-process-prefix': 'stdout 的每一行只能是一条消息，不能有其他内容。请将日志和提示写到 stderr。',
  'remedy-fix-process-not-json':
    '请将消息序列化为 JSON（Python 用 json.dumps，JavaScript 用 JSON.stringify），不要直接打印对象。',
  'remedy-fix-process-json-string': '每条消息只序列化一次，写入结果时不要再加引号。',
  'remedy-fix-process-browser-sign-in':
    '进程已将 URL 写到 stderr，请打开该 URL 并登录。如果进程已停止等待，请在登录后重试。',
  'remedy-fix-process-exception': '错误出在服务器或其设置中，堆栈跟踪显示了位置。请更新服务器，或向作者报告该错误。',
  'remedy-fix-process-serves-http': '连接到该 URL，或使用程序的 stdio 选项启动它。',
  'remedy-fix-process-on-stderr': '请把消息写到 stdout，每行一条；stderr 只用于日志。',
  'remedy-fix-process-install-prompt':
    '客户端启动服务器时没有终端。请在 npx 的参数中、软件包名之前加上 -y（--yes），或先安装该软件包。',
  'remedy-fix-process-reads-to-end':
    '程序在响应之前一直读取 stdin 直到结束（EOF），而客户端会让 stdin 保持打开。请逐行读取并逐行响应：Python 用 for line in sys.stdin，Node 用 readline。',
  'remedy-fix-process-terminal':
    '客户端启动服务器时没有终端。请先在终端中运行一次此命令并输入它要求的内容，或者以参数或变量传入这些值。使用 docker run 时，加 -i，不加 -t。',
  'remedy-fix-process-missing-module': '在运行该程序的环境（例如虚拟环境）中安装它的依赖。',
  'remedy-fix-process-missing-file': '检查路径；如果是相对路径，还要检查工作目录。需要编译的程序可能要先构建。',
  'remedy-fix-process-missing-package': '检查拼写和版本。私有软件包需要先登录其仓库（registry）。',
  'remedy-fix-process-no-executable': '在软件包的文档中查找程序的名称，然后运行它。',
  'remedy-fix-process-missing-program': '安装它，或输入完整路径：进程得到的是启动代理时的 PATH。',
  'remedy-fix-process-line-endings':
    '用 Unix 换行符（LF）保存脚本，例如使用 dos2unix，并在 .gitattributes 中写入“* text=auto eol=lf”。',
  'remedy-fix-process-missing-grant': '在命令中的脚本之前加上此选项，或只授予错误信息中提到的权限。',
  'remedy-fix-process-no-stdin':
    '在命令中的镜像名或容器名之前加上 -i（--interactive）。缺少它时，容器引擎会立即关闭 stdin，服务器随之结束。',
  'remedy-fix-process-no-network': '检查网络，以及该网络是否需要代理或专用的证书（HTTPS_PROXY、NODE_EXTRA_CA_CERTS）。',
  'remedy-fix-process-old-runtime': '安装该版本，或输入该版本运行时的完整路径。',
  'remedy-fix-process-syntax-error': '请更正进程输出中显示的错误。',
  'remedy-fix-process-wrong-module':
    '运行构建后的文件而不是源代码，并检查运行时的版本。如果是 ES 模块，请在 package.json 中设置 "type": "module"，或将文件命名为 .mjs。',
  'remedy-fix-process-no-main-class':
    '请运行构建生成的可执行 JAR（名称中常有 -all、-shaded 或 -exec），或指定主类：java -cp FILE CLASS。',
  'remedy-fix-process-library-version': '如果该函数属于某个库，请安装程序测试时所用的版本（例如锁文件中的版本）。',
  'remedy-fix-process-script-policy':
    '请启动 npx.cmd 而不是 npx，或允许脚本：Set-ExecutionPolicy -Scope CurrentUser RemoteSigned。',
  'remedy-fix-process-permission': '允许进程访问该文件或目录，或将程序设为可执行（chmod +x）。',
  'remedy-fix-process-wrong-architecture': '安装适用于本机架构的版本，并重新安装其原生模块。',
  'remedy-fix-process-missing-library': '安装该库，或使用包含它的容器镜像。',
  'remedy-fix-process-missing-folder': '创建它，或改正参数、变量或工作目录中的路径。',
  'remedy-fix-process-missing-variable': '在“环境变量”中添加它。进程只得到默认的安全变量和你添加的变量。',
  'remedy-fix-process-missing-argument': '将它加入命令。进程的输出通常会显示用法。',
  'remedy-fix-process-unknown-argument': '检查拼写，并确认该参数属于程序本身，还是属于启动它的工具。',
  'remedy-fix-process-port-in-use': '停止另一个程序（可能是先前启动的本服务器），或选择其他端口。',
  'remedy-fix-process-docker-daemon': '启动容器引擎，并确保运行代理的用户有权访问其套接字。',
  'remedy-fix-process-missing-environment': '用版本管理器安装该版本或创建该环境，或输入其他运行时的完整路径。',
  'remedy-fix-process-registry-refused':
    '以运行代理的用户登录软件包仓库（npm login、docker login），或等待速率限制重置。',
  'remedy-fix-process-shadowed-package':
    '重命名你的文件或目录，或从其他工作目录启动程序。Python 会先找到你自己的文件。',
  'remedy-fix-process-missing-export': '安装程序测试时所用的版本（例如锁文件中的版本），或更正该导入。',
  'remedy-fix-process-no-container': '启动该容器，或检查其名称。',
  'remedy-fix-process-container-exists':
    '删除旧容器（docker rm -f），或不使用 --name。加上 --rm，容器结束时会自动删除。',
  'remedy-fix-process-too-many-files':
    '提高限制（ulimit -n 或 fs.inotify.max_user_watches），或关闭其他监视文件的程序。',
  'remedy-fix-process-locked': '停止另一个进程（可能是先前启动的本服务器）。',
  'remedy-fix-process-invalid-config':
    '更正进程输出中显示的错误。如果无法解析的是 Periscope 发送的消息，程序必须逐行读取 stdin。',
  'remedy-fix-process-console-encoding': '让程序使用 UTF-8。对于 Python，请添加环境变量 PYTHONUTF8=1。',
  'remedy-fix-process-disk-full': '释放一些空间，例如包管理器的缓存。',
  'remedy-fix-process-out-of-memory': '给它更多内存，或找出终止它的原因：系统、容器限制或其他程序。',
  'remedy-fix-process-backend': '启动该服务，并检查提供给服务器的主机、端口和凭据。',
  'remedy-fix-process-rejected-credentials': '检查提供给服务器的密钥或密码，以及它是否已过期。',
  'remedy-fix-process-crash': '在终端中运行该程序，并向其作者报告崩溃。',
} satisfies Translation<typeof en>
