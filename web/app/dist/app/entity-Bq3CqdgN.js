import{r as l,ar as F,j as n,as as W,a as G,e as R,at as B,au as q,av as V,aw as Y,ax as K,d as z,s as d,ay as J,az as Q,q as X,aA as Z,aB as ee,aC as ne,H as oe,a3 as te,a4 as se,w as ae,aD as re,aE as ie,aF as ce,aG as le,L as y,am as ue,ag as de,aH as me,o as P,p as D,aI as C,I as pe,a5 as A,aJ as he,P as fe}from"./index-CS7uEzyh.js";function we({data:e,error:o}){const t=Object.values(e??{}).find(a=>a!==null&&typeof a=="object");if(t)return t.userErrors[0]??null;const s=o?.graphQLErrors[0];return s?{code:s.extensions?.code??"INTERNAL",message:s.message}:o?{code:"NO_CONNECTION",message:"There is no connection. Try again."}:null}const M=l.createContext(null);function ge(e){const{api:o,token:t,user:s,options:a,client:r,children:c,language:m,messages:i,links:T,onSignInNeeded:w}=e,x=l.useRef({token:t,onSignInNeeded:w});x.current={token:t,onSignInNeeded:w};const u=l.useCallback(h=>{const b=x.current.token;return typeof b=="function"?b(h):b??null},[]),g=!!t,p=l.useMemo(()=>r??F({...a,url:o??"/graphql",token:u}),[r,o,s,g]),[E,j]=l.useState();l.useEffect(()=>{let h=!0;const b=S=>h&&j({client:p,isSignedIn:S});return Promise.resolve(u(!1)).then(S=>b(S!==null),()=>b(!1)),()=>{h=!1}},[p,u]);const k=E?.client===p?E.isSignedIn:g?void 0:!1,f=l.useCallback(async()=>{const h=await u(!1)!==null;return h||x.current.onSignInNeeded?.(),h},[u]),v=l.useMemo(()=>({isSignedIn:k,mayWrite:f,language:m,messages:i,links:T,onSignInNeeded:w}),[k,f,m,i,T,w]);return n.jsx(M.Provider,{value:v,children:n.jsx(W,{value:p,children:c})})}function I(){const e=l.useContext(M);if(!e)throw new Error("Put PlauditProvider above the components and hooks of @plaudit/react.");return e}const $={code:"UNAUTHENTICATED",message:"Sign in first."};function O(e){const{mayWrite:o,onSignInNeeded:t}=I(),[,s]=G(e);return l.useCallback(async a=>{if(!await o())return{problem:$};const r=await s(a),c=we(r);return c?.code===$.code&&t?.(),{data:r.data,problem:c}},[o,t,s])}const be=/^[A-Z][A-Za-z]*:/;function Ee(e){return be.test(e)?e:`Entity:${e}`}function Ne(e){const o=typeof e=="string",t=o?Ee(e):e.id,[{data:s}]=R({query:B,variables:{id:t},pause:!o}),a=o?s?.node:e,r=O(V),c=O(q),[m,i]=l.useState({}),[T,w]=l.useState(null);return{choices:(a?.reactionKinds??[]).map(({kind:u})=>{const g=a?.viewerReactions?.includes(u),p=m[u]??g,E=a?.reactionCounts&&Number(a.reactionCounts.find(f=>f.kind===u)?.count??0),j=p===g||g===void 0?0:p?1:-1,k=async()=>{i(v=>({...v,[u]:!p}));const f=await(p?c:r)({targetId:t,kind:u});w(f.problem?.code==="UNAUTHENTICATED"?null:f.problem),i(({[u]:v,...h})=>h)};return{kind:u,count:typeof E=="number"?E+j:void 0,isChosen:p,choose:k}}),problem:T}}const _=`
like = Like
reactions = Reactions
react = React with { $kind }
follow = Follow
following = Following
requested = Requested
follow-whom = Follow { $name }
sign-in-first = Sign in first
sign-in-to-comment = Sign in to comment
state-unknown = Your choice could not be loaded

comments = Comments
order = Order of comments
hot = Popular
newest = Newest
oldest = Oldest
no-comments = No comments yet. Write the first one.
cannot-comment = You cannot comment here.
subject-missing = There is nothing here to comment on.
add-comment = Add a comment
write-reply = Write a reply to { $name }
send = Send
cancel = Cancel
sending = Sending…
reply = Reply
replies = Replies
edit = Edit
edit-comment = Edit the comment
save-edit = Save
edited = edited
characters-left = Characters left: { $count }
delete = Delete
deleted = Deleted
comment-deleted = This comment was deleted.
pinned = Pinned
unknown-user = Unknown user

loading = Loading…
show-more = Show more
try-again = Try again
not-loaded = This could not be loaded.
newest-not-loaded = The newest state could not be loaded.
some-unavailable = Some of this is temporarily unavailable. It appears as soon as it can be read.
all-unavailable = This is temporarily unavailable. It appears as soon as it can be read.
video = Video
audio = Audio

in-review = In review
own-status-PENDING = Publishing…
own-status-REJECTED = Rejected
show-anyway = Show anyway
hide-again = Hide again

count-likes =
    { $count ->
        [unknown] likes: unknown
        [one] { $count } like
       *[other] { $count } likes
    }
count-comments =
    { $count ->
        [unknown] comments: unknown
        [one] { $count } comment
       *[other] { $count } comments
    }
count-replies =
    { $count ->
        [unknown] replies: unknown
        [one] { $count } reply
       *[other] { $count } replies
    }
count-reactions =
    { $count ->
        [unknown] reactions: unknown
        [one] { $count } reaction
       *[other] { $count } reactions
    }
new-comments =
    { $count ->
        [one] Show { $count } new comment
       *[other] Show { $count } new comments
    }

new-post = New post
text-of-post = Text of the post
publish = Publish
add-files = Add files
description = What the file shows
uploading = Uploading { $name }
remove-file = Remove { $name }
file-unreadable = This file cannot be read.
published = Published
posts = Posts
no-posts = There are no posts yet.
post-missing = This post does not exist, or you may not see it.
quoted-post = Quoted post

notifications = Notifications
no-notifications = There are no notifications.
mark-all-read = Mark all as read
unread = Unread

report = Report
report-title = Report this
report-reason = What is wrong?
report-note = Note for the moderators
report-SPAM = Spam
report-HARASSMENT = Harassment
report-HATE = Hate
report-VIOLENCE = Violence
report-MISINFORMATION = Misinformation
report-SEXUAL = Sexual content
report-SELF_HARM = Self-harm
report-IMPERSONATION = Impersonation
report-INTELLECTUAL_PROPERTY = Intellectual property
report-ILLEGAL = Illegal content
report-OTHER = Something else
report-send = Send report
reported = Thank you. Moderators will look at it.
close = Close

save = Save
save-in = Save in a collection
no-collections = You have no collections yet.
new-collection = New collection
create = Create
saved-in = Saved in { $name }

problem-NO_CONNECTION = There is no connection. Try again.
problem-RATE_LIMITED = You are doing this too often. Try again later.
problem-UNAVAILABLE = This does not work at the moment. Try again later.
problem-INTERNAL = Something went wrong. Try again.
problem-BLOCKED = A block between you and this user does not allow it.
problem-SUSPENDED = Your account is suspended.
problem-COMMENTS_CLOSED = Comments are closed.
problem-EDIT_WINDOW_OVER = This comment is too old to be edited.
problem-TARGET_DELETED = This was deleted.
problem-TARGET_NOT_FOUND = This does not exist any more.
`,Te=`
like = 赞
reactions = 回应
react = 回应{ $kind }
follow = 关注
following = 已关注
requested = 已申请
follow-whom = 关注{ $name }
sign-in-first = 请先登录
sign-in-to-comment = 登录后评论
state-unknown = 无法读取你的选择

comments = 评论
order = 评论排序
hot = 最热
newest = 最新
oldest = 最早
no-comments = 还没有评论,来写第一条吧。
cannot-comment = 你不能在这里评论。
subject-missing = 这里没有可以评论的内容。
add-comment = 写评论
write-reply = 回复{ $name }
send = 发送
cancel = 取消
sending = 正在发送…
reply = 回复
replies = 回复
edit = 编辑
edit-comment = 编辑评论
save-edit = 保存
edited = 已编辑
characters-left = 剩余字数:{ $count }
delete = 删除
deleted = 已删除
comment-deleted = 该评论已删除。
pinned = 置顶
unknown-user = 未知用户

loading = 正在加载…
show-more = 显示更多
try-again = 重试
not-loaded = 无法加载。
newest-not-loaded = 无法加载最新状态。
some-unavailable = 部分内容暂时不可用,恢复后会自动显示。
all-unavailable = 内容暂时不可用,恢复后会自动显示。
video = 视频
audio = 音频

in-review = 审核中
own-status-PENDING = 正在发布…
own-status-REJECTED = 未通过
show-anyway = 仍然显示
hide-again = 重新隐藏

count-likes =
    { $count ->
        [unknown] 赞数未知
       *[other] { $count } 个赞
    }
count-comments =
    { $count ->
        [unknown] 评论数未知
       *[other] { $count } 条评论
    }
count-replies =
    { $count ->
        [unknown] 回复数未知
       *[other] { $count } 条回复
    }
count-reactions =
    { $count ->
        [unknown] 回应数未知
       *[other] { $count } 个回应
    }
new-comments = 显示 { $count } 条新评论

new-post = 新动态
text-of-post = 动态内容
publish = 发布
add-files = 添加文件
description = 文件的内容
uploading = 正在上传 { $name }
remove-file = 移除 { $name }
file-unreadable = 无法读取此文件。
published = 已发布
posts = 动态
no-posts = 还没有动态。
post-missing = 该动态不存在,或你无权查看。
quoted-post = 引用的动态

notifications = 通知
no-notifications = 没有通知。
mark-all-read = 全部标为已读
unread = 未读

report = 举报
report-title = 举报此内容
report-reason = 有什么问题?
report-note = 给审核员的说明
report-SPAM = 垃圾信息
report-HARASSMENT = 骚扰
report-HATE = 仇恨
report-VIOLENCE = 暴力
report-MISINFORMATION = 虚假信息
report-SEXUAL = 色情内容
report-SELF_HARM = 自我伤害
report-IMPERSONATION = 冒充他人
report-INTELLECTUAL_PROPERTY = 侵犯知识产权
report-ILLEGAL = 违法内容
report-OTHER = 其他
report-send = 提交举报
reported = 谢谢,审核员会查看。
close = 关闭

save = 收藏
save-in = 收藏到合集
no-collections = 你还没有合集。
new-collection = 新合集
create = 创建
saved-in = 已收藏到{ $name }

problem-NO_CONNECTION = 没有网络连接,请重试。
problem-RATE_LIMITED = 操作太频繁,请稍后再试。
problem-UNAVAILABLE = 暂时无法完成,请稍后再试。
problem-INTERNAL = 出错了,请重试。
problem-BLOCKED = 你与该用户之间的屏蔽不允许此操作。
problem-SUSPENDED = 你的账号已被停用。
problem-COMMENTS_CLOSED = 评论已关闭。
problem-EDIT_WINDOW_OVER = 该评论已不能再编辑。
problem-TARGET_DELETED = 该内容已删除。
problem-TARGET_NOT_FOUND = 该内容已不存在。
`,U={en:_,"zh-Hans":Te};function L(e){try{const{language:o,script:t}=new Intl.Locale(e).maximize();return`${o}-${t}`}catch{return null}}function H(e){const o=Object.keys(U);return e.map(t=>o.find(s=>L(s)===L(t))).find(Boolean)??"en"}function xe(){return typeof navigator>"u"?[]:navigator.languages??[]}function ke(e,o){const t=new Y([e,"en"],{useIsolating:!1}),s=[U[H([e])]??_,o??""];for(const c of s)t.addResource(new K(c),{allowOverrides:!0});const a=(c,m)=>{const i=t.getMessage(c)?.value;return i?t.formatPattern(i,m,[]):c};return{language:e,say:a,sayProblem:({code:c,message:m})=>t.hasMessage(`problem-${c}`)?a(`problem-${c}`):m}}function N(){const{language:e,messages:o}=I();return l.useMemo(()=>ke(e??H(xe()),o),[e,o])}function ve({value:e,of:o}){const{language:t,say:s}=N(),a=typeof e=="number",r=s(`count-${o}`,{count:a?e:"unknown"}),c=a?new Intl.NumberFormat(t,{notation:"compact"}).format(e):"–";return n.jsxs(n.Fragment,{children:[n.jsx("span",{"aria-hidden":"true",title:r,children:c}),n.jsx("span",{className:"plaudit-hidden",children:r})]})}function je({of:e}){const{sayProblem:o}=N();return e&&n.jsx("span",{role:"alert",className:"plaudit-problem",children:o(e)})}function Se({isOn:e,toggle:o}){const{isSignedIn:t,onSignInNeeded:s}=I(),{say:a}=N(),r=t===!1,c=r?a("sign-in-first"):e===void 0?a("state-unknown"):void 0;return{type:"button","aria-pressed":r?!1:e??"mixed",disabled:r&&!s,title:c,onClick:r?s:o}}const Ie={like:"👍",dislike:"👎"};function ye({target:e,className:o=""}){const{say:t}=N(),{choices:s,problem:a}=Ne(e);return n.jsxs("div",{className:`plaudit plaudit-inline plaudit-picker ${o}`,role:"group","aria-label":t("reactions"),children:[s.map(r=>n.jsx(Ce,{...r},r.kind)),n.jsx(je,{of:a})]})}function Ce({kind:e,count:o,isChosen:t,choose:s}){const{say:a}=N(),r=Ie[e]??e;return n.jsxs("button",{...Se({isOn:t,toggle:s}),className:"plaudit-act plaudit-reaction","aria-label":a("react",{kind:r}),children:[n.jsx("span",{className:"plaudit-emoji",children:r})," ",n.jsx(ve,{value:o,of:"reactions"})]})}function Ae({children:e}){const{person:o}=z(),t=`react = ${d("react",{kind:"{ $kind }"})}`;return n.jsx(ge,{client:Q(),token:o?.token??null,language:J(),messages:t,children:e})}const $e=["like","dislike"];function Oe({target:e}){return e.reactionKinds.every(({kind:o})=>$e.includes(o))?null:n.jsx("section",{className:"picker","aria-label":d("reactions"),children:n.jsx(Ae,{children:n.jsx(ye,{target:e})})})}function De(){const{id:e=""}=X(),[{data:o,error:t,fetching:s},a]=R({query:Z,variables:{id:e}}),[r,c]=l.useState("HOT"),m=ee(e,r),i=o?.node?.__typename==="Entity"?o.node:null;return ne(i?[e]:[]),n.jsxs(n.Fragment,{children:[n.jsx(oe,{hidden:!0,title:i?i.title??i.key:d("entity")}),!i&&t&&n.jsx(te,{action:()=>a({requestPolicy:"network-only"}),children:d("not-loaded")}),!i&&!t&&(s?n.jsx(se,{}):n.jsx(ae,{children:d("entity-missing")})),i&&n.jsx(Le,{entity:i,children:n.jsx(Oe,{target:i})}),i&&n.jsx(Re,{id:e}),i&&n.jsx(re,{comments:m,count:i.rootCommentCount,sort:r,onSort:c,canComment:i.viewerCanComment!==!1&&!i.commentsClosed})]})}function Le({entity:e,children:o}){const t=ie(e),s=ce(e);return n.jsxs("article",{className:"card post entity",children:[n.jsx(le,{of:e}),n.jsxs("header",{children:[n.jsxs("div",{className:"title",children:[n.jsx("span",{className:"badge",children:e.business}),n.jsx(y,{className:"name",to:`/entities/${e.id}`,children:n.jsx(ue,{text:e.title??e.key})})]}),n.jsx(de,{savable:!0,targetId:e.id,user:e.owner??null})]}),n.jsx(me,{of:e,children:e.url&&n.jsx("p",{className:"text",children:n.jsx("a",{href:e.url,rel:"noreferrer",children:e.url})})}),e.owner&&n.jsxs("p",{className:"inline owner",children:[n.jsx(P,{user:e.owner})," ",n.jsx(D,{user:e.owner})]}),o,n.jsxs("footer",{children:[n.jsx(C,{toggle:t,label:d("like"),of:"likes",icon:"heart"}),n.jsxs(y,{className:"act",to:`/entities/${e.id}`,"aria-label":d("comments"),children:[n.jsx(pe,{name:"comment"})," ",n.jsx(A,{value:e.commentCount,of:"comments",named:!0})]}),n.jsx(C,{toggle:s,label:d("favourite"),of:"saves",icon:"star"}),n.jsx("span",{className:"act",children:n.jsx(A,{value:e.viewCount,of:"views",named:!0})})]})]})}function Re({id:e}){const o=he(e,5);return n.jsxs("details",{children:[n.jsx("summary",{children:d("liked-by")}),n.jsx(fe,{pages:o,label:d("likers"),empty:d("no-likers"),children:t=>n.jsxs("div",{className:"card note",children:[n.jsx(P,{user:t}),n.jsx("span",{className:"text",children:n.jsx(D,{user:t})})]})})]})}export{De as Entity,Le as EntityCard};
