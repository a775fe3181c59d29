"""The page with the form for notices, in English and Chinese. It works without scripts, and loads nothing.

Input: what the person has entered, and the errors of it. Output: HTML. Every value is escaped.
"""

import base64
import hashlib
from collections.abc import Mapping
from datetime import datetime
from html import escape
from typing import NamedTuple

_STYLE = (
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem;color:#222;"
    "background:#fff}label{display:block;margin-top:1rem}input[type=text],input[type=email],textarea{width:100%;"
    "box-sizing:border-box;font:inherit;padding:.4rem}.error{color:#b00020}.hint{color:#555;font-size:.9rem}"
    "button{font:inherit;margin-top:1.5rem;padding:.5rem 1rem}code{overflow-wrap:anywhere}"
)
_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
HEADERS = {
    "Content-Security-Policy": f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Vary": "Accept-Language",
}
"""The headers of the page. Scripts, frames and other origins are forbidden, and only the style of the page applies."""

FIELDS = "target", "law", "explanation", "name", "email", "proof"
"""The names of the fields with texts."""
CHECKBOXES = "unnamed", "good_faith"
"""The names of the checkboxes."""

_ENGLISH = {
    "lang": "en",
    "title": "Report illegal content",
    "intro": "Tell us about content that you think is illegal. You need no account. A moderator reads your notice and "
    "decides about it.",
    "target": "Id of the content, as the link to this page gives it",
    "law": "Which law does the content break?",
    "explanation": "Why do you think that the content is illegal?",
    "name": "Your name",
    "email": "Your e-mail address",
    "unnamed": "The content shows sexual abuse of a child, and I do not give my name",
    "good_faith": "I believe in good faith that this notice is accurate and complete",
    "send": "Send the notice",
    "privacy": "Moderators see your name and your e-mail address. The author of the content does not.",
    "wrong": "Please check the marked fields. Nothing was sent.",
    "INVALID": "This is missing or not valid.",
    "TARGET_NOT_FOUND": "There is no such content, or it is not public.",
    "TARGET_DELETED": "This content was deleted.",
    "TEXT_TOO_LONG": "This is too long.",
    "TEXT_INVALID": "This contains characters or line breaks that are not allowed.",
    "expired": "This form was open for too long, or your browser refuses cookies. Nothing was sent. Please send the "
    "form again.",
    "limited": "Too many notices came from your network. Nothing was sent. Please try again later.",
    "unavailable": "Your notice cannot be taken right now. Please try again in some minutes.",
    "bad": "This request is not valid. Nothing was sent.",
    "captcha": "Please open this form through our website, which checks that you are not a program.",
    "done": "Your notice was received",
    "number": "The number of your receipt",
    "received": "Received at",
    "keep": "Keep this number. With it, you can read what was decided. Do not give it to others.",
}
_CHINESE = {
    "lang": "zh",
    "title": "举报违法内容",
    "intro": "请告诉我们您认为违法的内容。您不需要账号。审核员会阅读您的通知并作出决定。",
    "target": "内容的编号（由进入本页的链接提供）",
    "law": "该内容违反了哪一部法律？",
    "explanation": "您为什么认为该内容违法？",
    "name": "您的姓名",
    "email": "您的电子邮箱",
    "unnamed": "该内容涉及儿童性虐待，我不提供姓名",
    "good_faith": "我善意地相信本通知准确且完整",
    "send": "提交通知",
    "privacy": "审核员可以看到您的姓名和电子邮箱，内容的作者看不到。",
    "wrong": "请检查标出的项目。通知尚未提交。",
    "INVALID": "此项缺失或无效。",
    "TARGET_NOT_FOUND": "没有这样的内容，或者它不是公开的。",
    "TARGET_DELETED": "该内容已被删除。",
    "TEXT_TOO_LONG": "内容过长。",
    "TEXT_INVALID": "包含不允许的字符或换行。",
    "expired": "表单打开时间过长，或者您的浏览器拒绝了 Cookie。通知尚未提交，请重新提交。",
    "limited": "来自您所在网络的通知过多。通知尚未提交，请稍后再试。",
    "unavailable": "暂时无法接收您的通知，请几分钟后再试。",
    "bad": "请求无效。通知尚未提交。",
    "captcha": "请通过我们的网站打开此表单，以确认您不是程序。",
    "done": "我们已收到您的通知",
    "number": "回执编号",
    "received": "接收时间",
    "keep": "请保存此编号，凭此编号可以查看处理结果。请勿告诉他人。",
}
_LIMITS = {"law": 200, "name": 200, "email": 254, "target": 300}
_EXPLANATION = 2000


class Filled(NamedTuple):
    """A form as a person has filled it in: the texts and checkboxes by name, and the anti-forgery token."""

    texts: Mapping[str, str]
    checked: frozenset[str]
    token: str


def language(accepted: str) -> Mapping[str, str]:
    """Returns the texts of the page in the language that an Accept-Language header prefers: Chinese or, if the header
    names neither, English.
    """
    best, texts = 0.0, _ENGLISH
    for part in accepted[:1000].split(","):
        name, _, weight = part.strip().lower().partition(";q=")
        found = {"zh": _CHINESE, "en": _ENGLISH}.get(name.partition("-")[0])
        try:
            preference = float(weight or 1)
        except ValueError:
            continue
        if found and best < preference <= 1:
            best, texts = preference, found
    return texts


def form(texts: Mapping[str, str], filled: Filled, errors: Mapping[str, str], message: str | None = None) -> str:
    """Returns the page with the form. `errors` has the code of the error of each wrong field; `message` is the name of
    a text that stands above the form.
    """
    parts = [f"<p>{escape(texts['intro'])}</p>"]
    if message or errors:
        shown = message or ("captcha" if "proof" in errors else "wrong")
        parts.append(f'<p class="error" role="alert">{escape(texts[shown])}</p>')
    parts.append('<form method="post" action="/notice">')
    parts.append(f'<input type="hidden" name="token" value="{escape(filled.token)}">')
    parts.append(f'<input type="hidden" name="proof" value="{escape(filled.texts.get("proof", ""))}">')
    parts += [_field(texts, filled, errors, name) for name in ("target", "law", "explanation", "name", "email")]
    parts += [_checkbox(texts, filled, errors, name) for name in CHECKBOXES]
    parts.append(f'<p class="hint">{escape(texts["privacy"])}</p>')
    parts.append(f'<button type="submit">{escape(texts["send"])}</button></form>')
    return _page(texts, texts["title"], parts)


def receipt(texts: Mapping[str, str], number: str, received_at: datetime) -> str:
    """Returns the page with the receipt of a notice."""
    time = f"{received_at:%Y-%m-%d %H:%M} UTC"
    parts = [
        f"<p>{escape(texts['number'])}: <code>{escape(number)}</code></p>",
        f"<p>{escape(texts['received'])}: {escape(time)}</p>",
        f"<p>{escape(texts['keep'])}</p>",
    ]
    return _page(texts, texts["done"], parts)


def _page(texts: Mapping[str, str], title: str, parts: list[str]) -> str:
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    body = "\n".join([f"<h1>{escape(title)}</h1>", *parts])
    return (
        f'<!doctype html>\n<html lang="{texts["lang"]}"><head>{head}<style>{_STYLE}</style></head>\n'
        f"<body><main>\n{body}\n</main></body></html>\n"
    )


def _field(texts: Mapping[str, str], filled: Filled, errors: Mapping[str, str], name: str) -> str:
    value, mark = escape(filled.texts.get(name, "")), _mark(texts, errors, name)
    described = f' aria-invalid="true" aria-describedby="{name}-error"' if mark else ""
    if name == "explanation":
        box = f'<textarea id="{name}" name="{name}" rows="8" maxlength="{_EXPLANATION}"{described}>\n{value}</textarea>'
    else:
        kind = "email" if name == "email" else "text"
        attributes = f'id="{name}" name="{name}" maxlength="{_LIMITS[name]}"{described}'
        box = f'<input type="{kind}" {attributes} value="{value}">'
    return f'<label for="{name}">{escape(texts[name])}</label>{box}{mark}'


def _checkbox(texts: Mapping[str, str], filled: Filled, errors: Mapping[str, str], name: str) -> str:
    checked = " checked" if name in filled.checked else ""
    box = f'<input type="checkbox" name="{name}" value="1"{checked}>'
    return f"<label>{box} {escape(texts[name])}</label>{_mark(texts, errors, name)}"


def _mark(texts: Mapping[str, str], errors: Mapping[str, str], name: str) -> str:
    if name not in errors:
        return ""
    message = texts.get(errors[name], texts["INVALID"])
    return f'<div class="error" id="{name}-error">{escape(message)}</div>'
