# 演示应用的文本。

title = { $title } · Plaudit 演示
skip = 跳到正文
main-navigation = 主导航
home = 首页
square = 广场
search = 搜索
favourites = 收藏
profile = 个人主页
moderation = 内容审核
notifications = 通知
topics = 话题
posts = 帖子
comments = 评论
account = 帐号
discover = 发现
unread =
    { $count ->
        [unknown] 未读数未知
       *[other] { $count } 条未读
    }
signed-in-as = 当前用户
not-signed-in = 未登录
not-signed-in-hint = 你尚未登录。要点赞、评论和发帖，请选择一个演示用户。
sign-in-first = 请先登录
sign-out = 退出登录
sign-in = 登录
choose-person = 选择你的身份
sign-in-means = 这是一个演示。选择社区中的一个人，你就拥有这个人的关注、帖子和通知。
demo-people = 演示中的用户
about-moderator = 在审核控制台中处理举报。
somebody-else = 其他人
somebody-else-means = 输入你在演示中看到的任何人的用户名。
handle = 用户名
write = 发帖
behind-this = 背后的 GraphQL
open-in-graphiql = 在 GraphiQL 中打开
page-not-loaded = 未能加载
load-again = 无法加载此页面。请重新加载。
not-found = 未找到
no-page = 此地址没有页面。
close = 关闭
remove = 移除
delete = 删除
deleted = 已删除
create = 新建
all = 全部
order = 排序
newest = 最新
hot = 热门
best = 最相关
or = 或
unavailable = 暂时无法显示。
no-longer-available = 此内容已不可用。
did-not-work = 操作失败。请重试。
undo = 撤销
undone = 已撤销。
unfollowed = 你已不再关注 { $name }。
removed = 已移除。
detached-now = 此引用中已不再包含你的帖子。
back = 返回
find-people = 寻找可关注的人
find-topics = 寻找话题
see-square = 看看大家发了什么
saved-means = 按下帖子下方的星标，就能在这里再次找到它。

## 面板“背后的 GraphQL”

close-panel = 关闭面板
panel-width = 面板宽度
clear = 清空
nothing-sent = 此后应用没有发送任何操作。
total-operations = 操作
total-points = 点
total-redis = Redis 往返
total-sql = Postgres 查询
kind-query = 查询
kind-mutation = 变更
kind-subscription = 订阅
state-waiting = 等待中…
state-network = 来自 API
state-kit = 来自客户端缓存
state-kit-first = 先缓存，后 API
state-browser = 来自浏览器缓存
state-unchanged = 304，未变化
state-live = 实时
state-ended = 已结束
state-degraded = 缺少部分值
state-failed = 失败
state-repeated = 已重试
figure-points = { $count } 点
figure-redis = Redis { $count }
figure-sql = Postgres { $count }
figure-events = { $count } 个事件
figure-time = { $time } 毫秒
figure-bytes = { $count } 字节
unchanged-means = 浏览器已有此回答，API 说它没有变化
browser-means = 浏览器已有此回答，没有询问 API
kit-means = 客户端已有全部的值，没有询问 API
failed-with = 失败：{ $problem }
values-missing = 缺少以下值，回答中已注明：
sent-by-id = 以标识发送
persisted-id = 持久化标识
id = 标识
variables = 变量
operation-text = 操作
copy = 复制
copied = 已复制
copy-what = 复制：{ $what }

## 故障开关

failure-switch = 故障开关
store-redis = Redis
store-postgres = Postgres
keeps-redis = 状态、缓存、动态
keeps-postgres = 全部数据
store-running = 运行中
store-stopped = 已停止
store-starting = 启动中…
stop-store = 停止 { $store }
start-store = 启动 { $store }
store-is-stopped = { $store } 已停止。应用在没有它的情况下继续运行。
store-starts = { $store } 正在启动…
what-you-see = 存储停止时会看到什么
without-store = 没有 { $store }
redis-down-first = 大约五秒内，点赞、评论和帖子会被拒绝。列表来自 Postgres，但有限度。
redis-down-then = 然后点赞、评论和帖子直接写入 Postgres，页面恢复工作。
redis-down-live = 没有实时更新：重新加载页面后才会看到新的计数和帖子。没有关注推荐。
redis-down-back = 启动后两秒内，写入重新经过 Redis。缓存起初是空的：请看 Postgres 查询数。
postgres-down-reads = 已缓存的内容可以读取：最近显示过的大多数列表和个人资料。其他的值会缺少，面板会列出它们。
postgres-down-writes = 点赞、关注、评论和帖子会被接受，并在 Redis 的日志中等待。如果用户的个人资料没有缓存，则会被拒绝。
postgres-down-sign-in = 修改个人资料、删除和导出账号会失败。
postgres-down-back = 启动后，工作进程会保存日志中等待的内容。什么都不会丢失。

## 帖子

post = 帖子
post-of = { $name } 的帖子
post-not-loaded = 无法加载此帖子。
post-missing = 此帖子不存在，或者你无权查看。
like = 赞
repost = 转发
quote = 引用
favourite = 收藏
choice-unknown = 目前无法得知你的选择
from-topic = 来自 { $topic }
reposted-by =
    { $others ->
        [0] { $user } 转发
       *[other] { $user } 和其他 { $others } 人转发
    }
quoted-post = 被引用的帖子
quote-not-loaded = 无法加载被引用的帖子。
quote-REMOVED_BY_AUTHOR = 作者已从这里移除被引用的帖子。
quote-DELETED = 被引用的帖子已删除。
quote-NOT_VISIBLE = 你无权查看被引用的帖子。
quote-NESTED = 打开帖子可查看其引用的内容。
post-with-images = 图片帖子
picture-number = 图片 { $number }
picture-of = 第 { $number } 张图片，共 { $count } 张
previous-picture = 上一张
next-picture = 下一张
pinned = 置顶
reactions = 回应
react = 回应 { $kind }

## 发布

new-post = 新帖子
new-quote = 新引用
text-of-post = 帖子正文
text-of-quote = 引用正文
what-is-new = 有什么新鲜事？可以使用 #话题。
publish = 发布
published = 已发布。
no-files-now = 目前无法添加文件。
add-files = 添加文件
file-unreadable = 无法读取此文件。
file-shows = 文件的内容
description = 描述
drop-here = 将文件拖放到这里
uploading = 正在上传 { $name }
remove-file = 移除 { $name }
characters-left = 剩余字数：{ $count }
too-long = 超出 { $count } 个字
wait-for-files = 请等待文件上传完成。
nothing-to-publish = 请输入正文或添加文件。
suggestions = 建议
suggestion-count = { $count } 条建议

## 评论

order-of-comments = 评论排序
add-comment = 写评论
cannot-comment = 你不能在这里评论。
no-comments = 还没有评论。
text-of-comment = 评论内容
comment-deleted = 此评论已删除。
send = 发送
reply = 回复
replies = 回复列表
no-replies = 没有回复。
write-reply = 写回复

## 帖子、评论或用户的菜单

more = 更多
actions = 操作
edit = 编辑
detach = 从此引用中移除我的帖子
mute-user = 屏蔽 @{ $handle }
muted-now = 你不会再看到 @{ $handle }。
block-user = 拉黑 @{ $handle }
blocked-now = 你已拉黑 @{ $handle }。
report = 举报
report-note = 给版主的说明（选填）
reported = 谢谢。版主会进行审核。
report-SPAM = 垃圾信息
report-HARASSMENT = 骚扰
report-HATE = 仇恨言论
report-VIOLENCE = 暴力
report-MISINFORMATION = 虚假信息
report-OTHER = 其他
save-in = 加入收藏夹
saved-in = 已加入“{ $name }”。

## 帖子列表

your-topics = 你关注的话题
home-empty = 关注别人后，这里会显示他们的帖子。
all-posts = 所有帖子
no-posts-yet = 还没有帖子。
posts-about = 关于{ $topic }的帖子
topic-empty = 还没有人发布相关帖子。
topics-in-home = 在首页显示其中一些帖子
posts-of-topics = 你关注的话题中的帖子
topics-empty = 关注话题后，这里会显示相关帖子。
followed-topics = 已关注的话题
follows-no-topics = 你没有关注任何话题。

## 发现

discover-not-loaded = 无法加载推荐和趋势。
trends = 趋势
no-trends = 今天没有趋势话题。
authors-write = { $count } 位作者在讨论
who-to-follow = 推荐关注
no-suggestions = 目前没有推荐。
do-not-suggest = 不再推荐 @{ $handle }
suggested-similar = 赞过你喜欢的帖子
suggested-popular = 在 #{ $topic } 中很受欢迎
suggested-popular-somewhere = 在你关注的话题中很受欢迎
suggested-new = 新用户
suggested-followed-by-some = 你关注的人也关注
suggested-followed =
    { $others ->
        [0] { $name } 也关注
       *[other] { $name } 和其他 { $others } 人也关注
    }

## 搜索

search-for-query = 搜索：{ $query }
search-for = 搜索内容
search-words = 词语、名字、话题
kinds-of-results = 结果类型
tab-people = 用户
tab-posts = 帖子
tab-topics = 话题
tab-videos = 视频
people-found = 找到的用户
posts-found = 找到的帖子
topics-found = 找到的话题
videos-found = 找到的视频
nothing-found = 没有找到任何结果。
results = 结果：{ $count }
results-or-more = 结果：{ $count } 条以上
how-to-search = 如何搜索
operator-words = 同时包含两个词的帖子，顺序不限
operator-phrase = 连续包含这些词的帖子
operator-from = 某个用户的帖子
operator-topic = 关于某个话题的帖子
operator-days = 这些日期内的帖子
operator-images = 带图片的帖子

## 业务对象

entity = 业务对象
entity-missing = 此内容不存在，或者你无权查看。
liked-by = 赞过的人
likers = 点赞用户
no-likers = 还没有人点赞。

## 用户

profile-not-loaded = 无法加载此个人主页。
user-missing = 此用户不存在，或者你无权查看。
follow = 关注
follow-whom = 关注 { $name }
mute = 屏蔽
block = 拉黑
notify-me = 发帖时通知我
requested = 已申请
relation-unknown = 目前无法得知你是否{ $what }了 @{ $handle }。
unknown-follow = 关注
unknown-mute = 屏蔽
unknown-block = 拉黑
pinned-posts = 置顶帖子
account-private = 此帐号为私密帐号。
no-posts = 还没有帖子。
sign-in-as = 以此用户登录
only-demo-people = 只能以演示数据中的用户登录。
edit-profile = 编辑个人资料
settings = 设置
private-account = 私密
joined = 加入于 { $date }
parts-of-profile = 个人资料的各部分
profile-posts = 帖子
profile-likes = 赞过
profile-collections = 收藏夹
profile-followers = 关注者
profile-following = 正在关注
likes-nothing = 还没有赞过任何内容。
no-public-collections = 没有公开的收藏夹。
no-followers = 还没有人关注此用户。
follows-nobody = 此用户还没有关注任何人。
display-name = 名称
bio = 关于你
private-means = 私密账号：只有关注者能看到你的帖子、赞和列表
new-picture = 新头像
remove-picture = 移除头像
handle-stays = API 也可以修改用户名 @{ $handle }。此演示不能，因为你用它登录。
cancel = 取消
save = 保存
boundaries = 拉黑和屏蔽的用户
blocked = 已拉黑
blocked-users = 拉黑的用户
blocked-nobody = 你没有拉黑任何人。
unblock = 取消拉黑
muted = 已屏蔽
muted-users = 屏蔽的用户
muted-nobody = 你没有屏蔽任何人。
unmute = 取消屏蔽

## 通知与收藏

mark-all-read = 全部标为已读
no-notifications = 还没有通知。
saved-nothing = 你还没有收藏任何内容。
collection = 收藏夹
collections = 收藏夹列表
new-collection = 新收藏夹
new-collection-name = 新收藏夹的名称
is-private = （私密）
public = 公开
private = 私密
items = 收藏内容
collection-empty = 此收藏夹是空的。
collection-missing = 此收藏夹不存在，或者你无权查看。

## 设置

privacy = 隐私
edit-profile-what = 你的名称、头像和自我介绍
who-may-quote = 谁可以引用你的帖子
quotes-EVERYONE = 所有人
quotes-FOLLOWERS = 你的关注者
quotes-NOBODY = 没有人
boundaries-what = 谁不能接触你，以及你不看谁
filters-what = 你不想看到的标签、词语和帖子
language-what = 本页面和通知的语言
your-data = 你的数据
account-what = 关于你的决定、数据下载和账号删除
not-read = 未读
notify-LIKE = 对你内容的反应
notify-FOLLOW = 新关注者
notify-COMMENT = 评论
notify-REPLY = 对你评论的回复
notify-MENTION = 提及
notify-MODERATION = 管理员的决定
notify-FOLLOW_REQUEST = 关注请求
notify-FOLLOW_ACCEPTED = 已接受的请求
notify-REPORT = 对你举报的答复
notify-REPOST = 转发
notify-QUOTE = 引用
notify-NEW_POST = 你选定的用户的新帖子

## 帐号

searches-find-me = 允许通过搜索找到我
download = 下载你的数据
download-has = 你会得到一个文件，其中有你的个人资料、帖子、评论、点赞以及其他与你有关的数据。
download-ready = 文件已准备好：{ $file }。链接在 { $moment } 之前有效。
delete-account = 删除帐号
delete-means = 按下按钮后，其他人将立即看不到你的帐号、帖子和评论。在一段时间内你可以恢复一切，下一页会说明期限。此后，你的个人资料、点赞、关注、收藏和通知将被永久删除。
delete-what = 此后如何处理你的帖子和评论？
delete-ANONYMIZE = 保留，但不显示你的名字。作者显示为“Deleted user”。
delete-ERASE = 删除。有回复的评论会保留位置，但没有正文和作者。
delete-confirm = 请输入你的用户名 { $handle } 以确认
will-be-deleted = 此帐号将于 { $moment } 删除
was-deleted = 此帐号已被删除
deleted-means = 其他人看不到你的帐号、帖子和评论。在此之前你可以恢复一切。
deleted-ANONYMIZE = 此后你的数据将被删除。你的帖子和评论会保留，但不显示你的名字。
deleted-ERASE = 此后你的数据将被删除，你的帖子和评论也会一并删除。
restore = 恢复帐号

## 警告与筛选

uncover = 显示
cover = 遮住
warnings = 内容警告
content-warning = 警告内容
labels = 标签
filters = 内容筛选
visibility-SHOW = 直接显示
visibility-WARN = 先显示警告
visibility-HIDE = 隐藏
fixed-by-age = 由你的年龄段决定
muted-words = 屏蔽词
muted-words-mean = 你不会看到包含这些词的帖子、评论和通知。你自己的帖子不受影响。
word = 词语
how-long = 时长
for-days =
    { $count ->
        [0] 无限期
       *[other] { $count } 天
    }
no-muted-words = 你没有屏蔽任何词语。
unmute-word = 取消屏蔽“{ $word }”
until = 至 { $moment }
hide = 隐藏此帖子
hidden-now = 列表中不会再显示此帖子。
less = 减少此类内容
less-now = 你会看到更少的此类帖子。
hidden-post = 你已隐藏 { $author } 的这篇帖子
show-again = 重新显示
hidden-posts = 隐藏的帖子
no-hidden-posts = 你没有隐藏任何帖子。

## 限制与申诉

restrictions = 与你有关的处理
no-restrictions = 你的帐号和内容没有受到任何限制。
restriction-HELD = 你发布的内容正在等待审核
restriction-REJECTED = 你发布的内容未通过审核
restriction-DELETED = 你发布的内容已被删除
restriction-SUSPENDED = 你的帐号已被封禁
restriction-WARNED = 版主向你发出了警告
restriction-PROFILE_REJECTED = 你的个人资料中的文字未通过审核
restriction-REPORT_DISMISSED = 你的举报未被受理
restriction-REPORT_ACCEPTED = 你的举报已被受理
restriction-LABELED = 版主为你发布的内容设置了标签
restriction-MADE_PRIVATE = 你的收藏夹已被设为私密
ended = 已失效
ground = 依据：
found-by-REPORTS = 由用户举报发现。
found-by-AUTOMATED = 由自动化手段发现。
found-by-NOTICE = 由违法内容通知发现。
found-by-OWN_INITIATIVE = 由我们主动审核发现。
automated = 该决定由系统自动作出。
why-wrong = 为什么该决定有误
appeal = 申诉
appeal-until = 你可以在 { $moment } 之前申诉。
appeal-OPEN = 你已申诉，正在等待版主处理：
appeal-GRANTED = 你的申诉已通过：
appeal-DENIED = 你的申诉被驳回：
appeal-MOOT = 你的申诉已终止，未作处理：
