import type { Translation } from '../../ui/i18n/language.svelte.ts'
import type en from './en.ts'

/** 多个功能共用的文字。 */
export default {
  iconFault: (fault) =>
    ({
      'no-object': '图标应是带有 src 的对象。',
      'no-src': '图标没有 src。',
      scheme: '未显示：图标的 src 只能是 https: 或 data:，其他均不安全（ICON-02）。',
      remote: '未获取：获取会让对方主机知道你在查看。',
      'too-long': '未显示：超过 400 kB。',
      'not-base64': '未显示：无法解码其 data: URL。',
      type: '未显示：不是 PNG、JPEG、WebP 或 SVG（ICON-04）。',
      mismatch: '未显示：字节与声明不符（ICON-04）。',
      'too-large': '未显示：边长超过 2,048 像素。',
      svg: '未显示：该 SVG 含有重复、嵌入、滤镜或脚本。',
    })[fault] ?? '',
  metaNone: '未添加',
  metaKeys: (count) => `已添加 ${count} 个键`,
  metaNotSent: '不会发送',
  metaLabel: (method) => `${method} 的 _meta`,
  metaHint: (method) => `此对象会放入每个 ${method} 的 params._meta，直到页面关闭。`,
  metaNoObject: '_meta 应是对象；在此之前不会添加任何内容。',
  metaNoJson: (why) => `还不是 JSON，因此不会添加：${why}`,
  metaOnPurpose: '仍会照样发送。',
  metaOurs: '将取代 Periscope 自己要发送的值。',
} satisfies Translation<typeof en>
