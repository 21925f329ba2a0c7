"""Class room: a coach asks, students on the same network choose, the spread is seen live."""

from __future__ import annotations

from pages._kit import class_coach, class_student, shell

shell.page_guard()
house = shell.house("class")
if not class_student.here(house):
    class_coach.draw(house)
