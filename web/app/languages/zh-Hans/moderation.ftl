# 审核控制台的文本。

title = { $title } · 内容审核
moderation = 内容审核
skip = 跳到正文
main-navigation = 主导航
queue = 待审队列
log = 审核日志
transparency = 透明度报告
find-user = 用户
find = 查找
handle-example = @用户名
no-page = 没有这个页面。
no-user = 没有这个用户。
close = 关闭
separator = 、
in-brackets = （{ $text }）
until = 至 { $moment }
without-end = 无限期
you-are-suspended = 你的帐号已被封禁（{ $end }）。你可以查看，但不能作出处理。原因：{ $reason }

## 登录

signing-in = 正在登录…
sign-in = 登录
sign-out = 退出登录
paste-token = 粘贴令牌
or-paste-token = 或者粘贴令牌
use-token = 使用此令牌
checking = 正在检查…
token-needs = 令牌需要 { $scope } 权限或审核角色。令牌只保存在此标签页中，关闭标签页或退出登录后即被清除。
sign-in-ended = 你的登录已过期
sign-in-again = 请粘贴新的令牌。页面会保持原样，你刚才作出的决定会被发送。
may-not-moderate = { $name } 无权进行审核：此帐号没有审核角色。请联系帐号管理员，或使用其他帐号登录。
token-expired = 此令牌已过期。请重新登录以获取新令牌。
no-answer = 服务没有响应。请重试。
no-profile = 目前无法读取你的个人资料。请重试。

issuer-down = 登录服务没有响应。请重试。
issuer-ended = 登录服务已结束你的登录。请重新登录。
issuer-refuses = 登录服务拒绝了请求：{ $message }
issuer-foreign = 登录服务的这一应答不属于此标签页。请重新登录。
sign-in-failed = 登录失败：{ $message }
signed-out-here = 你已在此处退出登录。登录服务没有响应，因此你在那里可能仍处于登录状态。
trying-again-keeps = 如果重试，页面会保持原样，你刚才作出的决定会被发送。
signing-in-loads = 登录时页面会重新加载，尚未发送的决定将会丢失。

## 待审队列

cases = 待审项
queue-empty = 队列中没有待审项。
queue-not-loaded = 无法加载待审队列。
more-cases = 处理完这些后会显示更多待审项。
show-cases = 显示 { $count } 项
all-shown = 选择全部显示的项
choose-case = 选择“{ $text }”
previous = 上一项 (K)
next = 下一项 (J)
case-of = 第 { $at } 项，共 { $count } 项
not-in-list = 不在列表中
resolved = 已处理
count-reports = { $count } 次举报

filter-status = 状态
filter-source = 来源
filter-kind = 类型
filter-assignment = 认领
filter-sort = 排序
all = 全部
status-OPEN = 待处理
status-RESOLVED = 已处理
kind-POST = 帖子
kind-COMMENT = 评论
kind-USER = 用户
kind-ENTITY = 业务对象
kind-COLLECTION = 收藏夹
assignment-ANY = 不限
assignment-UNASSIGNED = 未被他人认领
assignment-MINE = 由我认领
sort-OLDEST = 最早优先
sort-NEWEST = 最新优先
sort-MOST_REPORTED = 举报最多优先

source-RULES = 被规则拦截
source-WORDS = 命中词表
source-REVIEWER = 等待复审
source-REPORTS = 被举报
source-APPEALS = 申诉
source-NOTICES = 违法通知

saved-queues = 已保存的队列
save-filters = 保存这些筛选条件
change-queue = 修改“{ $name }”
queue-name = 队列名称
save = 保存
rename = 重命名
delete-queue = 删除已保存的队列

## 待审项

thing-Post = 帖子
thing-Comment = 评论
thing-User = 用户
thing-Entity = 业务对象
thing-Collection = 收藏夹
thing-Topic = 话题
case-gone = 此项已不在队列中。
decided-by-other = { $person }：{ $action }{ $reason }，{ $ago }。
why-PENDING = 待审原因：
why-REJECTED = 未通过原因：
author-appeals = 作者申诉：
earlier-decisions = 以往的处理
look-again = 重新查看
taken-by-you = 已由你认领
taken-by = 已由 { $name } 认领
take = 认领 (T)
give-back = 放弃认领 (T)
reports = 举报
report-count = { $reason }：{ $count }
more-reports = 另有 { $count } 条
notices = 违法内容通知
trusted-flagger = 可信举报者
without-name = 未署名

report-SPAM = 垃圾信息
report-HARASSMENT = 骚扰
report-HATE = 仇恨言论
report-VIOLENCE = 暴力
report-SEXUAL = 色情内容
report-SELF_HARM = 自残
report-MISINFORMATION = 虚假信息
report-IMPERSONATION = 冒充他人
report-INTELLECTUAL_PROPERTY = 侵犯知识产权
report-ILLEGAL = 违法
report-OTHER = 其他

author = 作者
since = 注册于 { $date }
record-rejected = 未通过
record-warnings = 警告
record-suspensions = 封禁
record-reports = 被举报且成立
record-own-reports = 举报他人且成立
part = { $part } / { $whole }
history-of = @{ $handle } 的记录
warn-or-suspend = 警告或封禁 (S)

due = 期限：{ $when }
overdue = 已逾期，期限为{ $when }
appeals = 申诉
appeal = 申诉内容
facts = 事实
no-ground = 未注明
no-facts = 未注明
own-decision = 此决定由你作出，申诉须由其他版主处理。
reason-for-appeal = 申诉处理的原因（申诉人会看到）
grant = 支持申诉
deny = 驳回申诉
appeal-GRANT = 申诉通过：{ $what }
appeal-DENY = 申诉驳回：{ $what }

# 被申诉的决定。
restriction-HELD = 帖子或评论等待审核
restriction-REJECTED = 帖子或评论未通过
restriction-DELETED = 评论被删除
restriction-SUSPENDED = 封禁
restriction-WARNED = 警告
restriction-PROFILE_REJECTED = 简介或头像未通过
restriction-REPORT_DISMISSED = 举报被驳回
restriction-REPORT_ACCEPTED = 举报被受理
restriction-LABELED = 设置了标签
restriction-MADE_PRIVATE = 收藏夹被设为私密

hold = 限制公开
held-private = 版主已将此收藏夹设为私密，所有者不能将其公开。
reason-for-lifting = 解除限制的原因（所有者会看到）

labels = 标签
labels-of-moderators = 版主设置的标签
reason-for-labels = 设置标签的原因（作者会看到）
set-labels = 设置标签
labels-set = 标签已设置。
earlier-versions = 以前的版本
versions-not-loaded = 无法加载以前的版本。
no-versions = 没有以前的版本。
written = 写于{ $ago }

## 待审内容

open-picture = 打开头像
picture-of = { $name } 的头像
no-text = （无文字）
no-bio = （无简介）
deleted-comment = （评论已删除）
of-owner = 所有者：{ $owner }
public-collection = 公开收藏夹
private-collection = 私密收藏夹
blur-all = 模糊所有图片
blur-image = 模糊此图片
show-image = 显示此图片
show-known-image = 显示此图片。此图片已知是违法的。
above-on-post = 所评论的帖子，作者：{ $author }
above-on-entity = 所评论的对象（{ $business }）
above-in-thread = 所在的讨论，发起者：{ $author }
above-in-reply = 回复 { $author }
state-PENDING = 待审核
state-APPROVED = 已通过
state-REJECTED = 未通过
content = 内容
content-gone = 此内容已不存在。
decisions = 处理记录
nothing-decided = 尚无处理记录。

## 处理

decision = 处理
log-unread = 控制台无法读取日志。你的决定可能会覆盖其他版主的决定。
decide-approve = 通过 (A)
decide-reject = 不通过 (R)
decide-hide = 设为私密 (R)
decide-dismiss = 驳回举报 (D)
decide-accept = 受理举报 (E)
decide-lift = 解除限制
reason-label = 原因（作者和举报者会看到）
usual = 不填写时使用：“{ $against }”或“{ $for }”
usual-one = 不填写时使用：“{ $reason }”
usual-reasons = 常用原因
no-violation = 我们没有发现违反社区规范的内容
violation = 内容违反社区规范
agreed = 我们认同此举报
reason-spam = 垃圾信息或广告
reason-harassment = 骚扰或侮辱
reason-hatred = 针对群体的仇恨言论
reason-violence = 暴力或威胁
reason-sexual = 色情内容
reason-false = 虚假信息
another-moderator = 另一位版主
faster = { $name } 抢先一步：{ $action }（{ $reason }）。
done-approve = 已通过：“{ $text }”
done-reject = 未通过：“{ $text }”
done-hide = 已设为私密：“{ $text }”
done-dismiss = 已驳回举报：“{ $text }”
done-accept = 已受理举报：“{ $text }”
done-lift = 已解除限制：“{ $text }”
undo = 撤销 (U)
sending-all = { $text }，已发送 { $count } / { $total }
sending = { $text }，正在发送…
not-done = 未完成。
because = { $text }：{ $problem }
because-about = “{ $text }”：{ $problem }
summary = { $text }。完成 { $done } 项，未完成 { $failed } 项。

# 对多项作出同一决定。
decision-about-chosen = 对所选项的处理
chosen-cases = 已选择 { $count } 项。
most-chosen = 一次最多处理这么多项。
choose-none = 取消选择
reason-for-all = 适用于所有所选项的原因（作者和举报者会看到）
does-not-fit = 此决定不适用于这类待审项。
decide-all-approve = 全部通过
decide-all-reject = 全部不通过
decide-all-dismiss = 驳回全部举报
decide-all-accept = 受理全部举报
done-all-approve = 已通过 { $count } 项
done-all-reject = 未通过 { $count } 项
done-all-dismiss = 已驳回 { $count } 项的举报
done-all-accept = 已受理 { $count } 项的举报

## 审核日志

log-restricted = 你的令牌只限于部分业务，因此不能查看审核日志。
log-empty = 没有符合条件的记录。
find-about = 涉及的用户
find-by = 处理的版主
filter-user = 涉及 { $id }
filter-actor = 处理者 { $id }
filter-target = 对象 { $id }
remove-filter = 移除此筛选条件
by = 处理者：{ $who }
about = 涉及：{ $who }
without-effect = 未生效
reason = 原因：{ $reason }
only-about = 只看涉及 @{ $handle } 的记录
only-by = 只看 @{ $handle } 处理的记录

action-HELD = 等待审核
action-APPROVED = 已通过
action-REJECTED = 未通过
action-DELETED = 已删除
action-REPORTS_ACCEPTED = 举报已受理
action-REPORTS_DISMISSED = 举报已驳回
action-SUSPENDED = 已封禁
action-REINSTATED = 已解封
action-WARNED = 已警告
action-APPEAL_GRANTED = 申诉通过
action-APPEAL_DENIED = 申诉驳回
action-SUSPENSION_ENDED = 封禁到期
action-TOPIC_HELD = 话题已屏蔽
action-TOPIC_OPENED = 话题已恢复
action-LABELED = 已设置标签

role-MODERATOR = 版主
role-OWNER = 帖子或业务对象的所有者
role-RULES = 规则
role-REVIEWER = 外部审核服务
role-SYSTEM = Plaudit

## 透明度报告

transparency-restricted = 你的令牌只限于部分业务，因此不能读取这些统计数据。
from = 起始日期
until-day = 截止日期（不含当日）
count = 统计
counting = 正在统计…
download-csv = 下载 CSV
days-are-utc = 日期按协调世界时计算，最长 366 天。时间更长或决定很多时，请使用 { $command }。
counts-not-loaded = 无法加载统计数据。
indicator = 指标
category = 类别
value = 数值
every-category = 全部
unit-NUMBER = { $value }
unit-SECONDS = { $value } 秒

# 报告的各部分和指标。导出的 CSV 使用英文名称。
counted-notices = 违法内容通知
counted-reports-of-users = 用户举报
counted-restrictions = 限制措施
counted-automated-means = 自动化手段
counted-own-initiative = 主动采取
counted-statements-of-reasons = 理由说明
counted-complaints = 投诉
counted-suspensions = 封禁
counted-notices-received = 收到的通知
counted-notices-by-trusted-flaggers = 可信举报者的通知
counted-notices-by-state = 按状态统计的通知
counted-notices-accepted = 成立的通知
counted-notices-decided-by-automated-means = 以自动化手段处理的通知
counted-median-time-to-decision = 处理时间中位数
counted-reports-received = 收到的举报
counted-reports-accepted = 受理的举报
counted-reports-dismissed = 驳回的举报
counted-statements-about-automated-decisions = 自动化决定的理由说明
counted-appeals-received = 收到的申诉
counted-appeals-decided = 已处理的申诉
counted-decisions-reversed = 被推翻的决定
counted-restrictions-by-automated-means = 以自动化手段采取的限制措施
counted-restrictions-on-own-initiative = 主动采取的限制措施
counted-own-initiative-found-by-automated-means = 主动采取的措施中由自动化手段发现的
counted-median-time-since-publication = 自发布起的时间中位数
counted-suspensions-ended-early = 提前解除的封禁

## 用户与封禁

users-restricted = 你的令牌只限于部分业务，因此不能查看用户。
user-not-loaded = 无法加载用户。
registered = 注册于{ $ago }
public-collections = 公开收藏夹：{ $names }
not-about-you = 与你有关的事项由其他版主处理。
newest-posts = 最新帖子
no-posts = 没有帖子。
suspended = 已封禁（{ $end }）：{ $mode }。原因：{ $reason }
reason-for-user = 原因（用户会看到）
ground = 依据
usual-ground = 默认依据
suspended-user = 封禁方式
mode-READ_ONLY = 不能发布内容
mode-HIDDEN = 不能发布内容，且对他人隐藏
mode-SHADOW = 对他人隐藏，且不告知本人
length = 时长
days =
    { $count ->
        [0] 无限期
       *[other] { $count } 天
    }
warn = 警告
suspend = 封禁
replace-suspension = 更改封禁
lift = 解除封禁
user-warned = 已警告该用户。
user-suspended = 已封禁该用户。
suspension-lifted = 已解除封禁。

## 快捷键

keys = 快捷键
use-keys = 使用这些快捷键
key-next = 下一项和上一项
key-approve = 通过帖子或评论
key-reject = 不通过
key-dismiss = 驳回举报
key-accept = 受理举报，不改动对象
key-reason = 选择原因
key-take = 认领或放弃认领
key-suspend = 警告或封禁作者
key-undo = 在几秒内撤销上一个决定
key-help = 显示快捷键
